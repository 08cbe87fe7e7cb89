import type { Driver } from "./driver.js";

/** An entry of a session: its number, its stored form, its outcome. */
export type EntryRow = readonly [seq: number, body: string, outcome: string | null];

export type HeadRow = readonly [
  session: string,
  room: string,
  seq: number,
  at: number,
  waking: number,
  cursorSeq: number,
  cursorPart: number,
  cursorAttempt: number,
];

export type RecordRow = readonly [
  room: string,
  kind: string,
  key: string,
  version: number,
  value: string,
  due: number | null,
];

const LOGGED = "SELECT e.seq, e.body, o.outcome FROM entries e LEFT JOIN outcomes o USING (session, seq)";

/** Every statement of the store, prepared once per open file. */
export type Statements = ReturnType<typeof prepareStatements>;

export function prepareStatements(driver: Driver) {
  return { ...logStatements(driver), ...recordStatements(driver), ...valueStatements(driver) };
}

function logStatements(driver: Driver) {
  return {
    raiseEpoch: driver.rows<[], readonly [value: number]>(
      "INSERT INTO meta VALUES ('epoch', 1) ON CONFLICT DO UPDATE SET value = value + 1 RETURNING value",
    ),
    insertEntry: driver.prepare<[session: string, seq: number, id: string, burst: string, body: string]>(
      "INSERT INTO entries VALUES (?, ?, ?, ?, ?)",
    ),
    putOutcome: driver.prepare<[session: string, seq: number, outcome: string]>(
      "INSERT OR REPLACE INTO outcomes VALUES (?, ?, ?)",
    ),
    // Not replaced: what an index says of it mostly stays.
    putHead: driver.prepare<[...HeadRow]>(
      `INSERT INTO heads VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET seq = excluded.seq, at = excluded.at, waking = excluded.waking,
         cursor_seq = excluded.cursor_seq, cursor_part = excluded.cursor_part, cursor_attempt = excluded.cursor_attempt`,
    ),
    read: driver.rows<[string, number, number], EntryRow>(
      `${LOGGED} WHERE e.session = ? AND e.seq > ? ORDER BY e.seq LIMIT ?`,
    ),
    tail: driver.rows<[string, number, number], EntryRow>(
      `${LOGGED} WHERE e.session = ? AND e.seq < ? ORDER BY e.seq DESC LIMIT ?`,
    ),
    burstStart: driver.rows<[string], readonly [seq: number]>(
      `SELECT seq FROM entries
       WHERE session = ? AND burst <> 'transparent' AND burst = 'resets' ORDER BY seq DESC LIMIT 1`,
    ),
    burstUsed: driver.rows<[string, number, number], readonly [used: number]>(
      `SELECT count(*) AS used FROM
       (SELECT 1 FROM entries WHERE session = ? AND burst <> 'transparent' AND seq > ? LIMIT ?)`,
    ),
    find: driver.rows<[string, string], EntryRow>(`${LOGGED} WHERE e.session = ? AND e.id = ?`),
    head: driver.rows<[string], HeadRow>("SELECT * FROM heads WHERE session = ?"),
    heads: driver.rows<[string], HeadRow>(
      "SELECT * FROM heads WHERE room = ? ORDER BY session = room DESC, at DESC, session",
    ),
    dirty: driver.rows<[number], readonly [session: string]>(
      "SELECT session FROM heads WHERE waking > cursor_seq ORDER BY session LIMIT ?",
    ),
  };
}

function recordStatements(driver: Driver) {
  return {
    putRecord: driver.prepare<[room: string, kind: string, key: string, value: string, due: number | null]>(
      `INSERT INTO records VALUES (?, ?, ?, 1, ?, ?)
       ON CONFLICT DO UPDATE SET version = version + 1, value = excluded.value, due = excluded.due`,
    ),
    deleteRecord: driver.prepare<[string, string, string]>(
      "DELETE FROM records WHERE room = ? AND kind = ? AND key = ?",
    ),
    record: driver.rows<[string, string, string], RecordRow>(
      "SELECT * FROM records WHERE room = ? AND kind = ? AND key = ?",
    ),
    version: driver.rows<[string, string, string], readonly [version: number]>(
      "SELECT version FROM records WHERE room = ? AND kind = ? AND key = ?",
    ),
    records: driver.rows<[string, string, string, string], RecordRow>(
      "SELECT * FROM records WHERE room = ? AND kind = ? AND key >= ? AND key < ? ORDER BY key",
    ),
    rooms: driver.rows<[string], readonly [room: string]>(
      "SELECT DISTINCT room FROM records WHERE kind = ? ORDER BY room",
    ),
    due: driver.rows<[string, number, number], RecordRow>(
      "SELECT * FROM records WHERE kind = ? AND due <= ? ORDER BY due, key, room LIMIT ?",
    ),
  };
}

function valueStatements(driver: Driver) {
  return {
    putValue: driver.prepare<[string, string, string, number | null]>(
      "INSERT OR REPLACE INTO key_values VALUES (?, ?, ?, ?)",
    ),
    value: driver.rows<[string, string, number], readonly [text: string]>(
      "SELECT text FROM key_values WHERE namespace = ? AND key = ? AND (expires IS NULL OR expires > ?)",
    ),
    values: driver.rows<[string, number], readonly [key: string, text: string]>(
      "SELECT key, text FROM key_values WHERE namespace = ? AND (expires IS NULL OR expires > ?)",
    ),
    deleteValue: driver.prepare<[string, string]>("DELETE FROM key_values WHERE namespace = ? AND key = ?"),
    clearValues: driver.prepare<[string]>("DELETE FROM key_values WHERE namespace = ?"),
    sweepValues: driver.prepare<[number, number]>(
      `DELETE FROM key_values WHERE (namespace, key) IN
       (SELECT namespace, key FROM key_values WHERE expires <= ? ORDER BY expires LIMIT ?)`,
    ),
  };
}
