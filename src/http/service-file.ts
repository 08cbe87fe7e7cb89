import { randomUUID } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";

const serviceSchema = z.object({ url: z.url(), token: z.string().min(1), pid: z.int().positive() });

/** Where a running service can be read, and the read-only token for it. */
export type Service = z.infer<typeof serviceSchema>;

const FILE = "service.json";

/** Writes `service.json` into the data folder, readable by its owner only. Readers see the old file or the new one. */
export async function writeServiceFile(dataDir: string, service: Service): Promise<void> {
  const temporary = join(dataDir, `.${FILE}.${randomUUID()}`);
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(`${JSON.stringify(service)}\n`);
    } finally {
      await file.close();
    }
    await rename(temporary, join(dataDir, FILE));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The service that this data folder names, running or not; `undefined` without a readable, well-formed file. */
export async function readServiceFile(dataDir: string): Promise<Service | undefined> {
  try {
    const parsed = serviceSchema.safeParse(JSON.parse(await readFile(join(dataDir, FILE), "utf8")));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the file if it is still this service's own: a successor's stays. */
export async function removeServiceFile(dataDir: string, token: string): Promise<void> {
  const current = await readServiceFile(dataDir);
  if (current?.token === token) await rm(join(dataDir, FILE), { force: true });
}
