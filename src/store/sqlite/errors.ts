import { type ErrorCode, StoreError } from "../../domain/errors.js";

interface Mapped {
  readonly code: ErrorCode;
  readonly retryable?: true;
  readonly says: (dataDir: string, code: string) => string;
}

/** By the start of the library's code; the first that fits counts. */
const BY_CODE: readonly (readonly [RegExp, Mapped])[] = [
  [
    /^SQLITE_(BUSY|LOCKED)/,
    {
      code: "store_in_use",
      says: (dir) =>
        `the data folder ${dir} is in use by another process: stop that process, or choose another folder with --data`,
    },
  ],
  [/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/, { code: "store_unwritable", says: notWritable }],
  [
    // Writing beyond a quota or a file-size limit is reported as a failed write, not as a full disk.
    /^(SQLITE_(FULL|IOERR_WRITE|IOERR_FSYNC|IOERR_TRUNCATE)|ENOSPC|EDQUOT)/,
    {
      code: "store_full",
      retryable: true,
      says: (dir, code) =>
        `nothing more can be written to the data folder ${dir} (${code}): free space on its disk, or raise the quota or file-size limit; what is stored is intact`,
    },
  ],
  [
    /^SQLITE_(CORRUPT|NOTADB)/,
    {
      code: "store_corrupt",
      says: (dir) =>
        `troupe.db in the data folder ${dir} is damaged or no Troupe database: restore a backup of the folder, or move it away to start anew`,
    },
  ],
  [
    /^(SQLITE_|EIO$)/,
    {
      code: "store_unavailable",
      retryable: true,
      says: (dir, code) => `the store in the data folder ${dir} failed (${code}): see whether its disk works`,
    },
  ],
  [
    /^(ERR_DLOPEN_FAILED|ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND)$/,
    { code: "store_native_missing", says: () => NATIVE_MISSING },
  ],
];

const NATIVE_MISSING =
  "better-sqlite3 has no file for this system and Node version: install a compiler (python3, make and g++) or a Node version with a prebuilt file, then run `npm ci`";

function notWritable(dataDir: string, code: string): string {
  return `the data folder ${dataDir} is not writable (${code}): give the user that runs Troupe the right to write it and the files in it, or choose another folder with --data`;
}

/** What the library threw, as an error with the mend. An error that is not the library's own is answered as it is. */
export function storeErrorOf(error: unknown, dataDir: string): unknown {
  const code = codeOf(error);
  // The loader of the native file throws a plain error when it finds none.
  if (code === "" && error instanceof Error && error.message.startsWith("Could not locate the bindings file")) {
    return new StoreError("store_native_missing", NATIVE_MISSING, { cause: error });
  }
  const mapped = BY_CODE.find(([pattern]) => pattern.test(code))?.[1];
  if (!mapped) return error;
  return new StoreError(mapped.code, mapped.says(dataDir, code), {
    cause: error,
    retryable: mapped.retryable ?? false,
  });
}

/** For a data folder that this process must not write. */
export function unwritable(dataDir: string, cause: unknown): StoreError {
  return new StoreError("store_unwritable", notWritable(dataDir, codeOf(cause)), { cause });
}

/** For a database file that is no longer at its path: what is written to it would be lost with this process. */
export function moved(dataDir: string): StoreError {
  return new StoreError(
    "store_unavailable",
    `troupe.db in the data folder ${dataDir} is not the file that was opened: the folder was moved, deleted or replaced; stop the service, put the folder back, and start it again`,
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
