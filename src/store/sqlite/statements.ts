import type { Driver } from "./driver.js";

export interface EntryRow {
  readonly seq: number;
  readonly body: string;
  readonly outcome: string | null;
}

export interface HeadRow {
  readonly session: string;
  readonly room: string;
  readonly seq: number;
  readonly at: number;
  readonly waking: number;
  readonly cursor_seq: number;
  readonly cursor_part: number;
  readonly cursor_attempt: number;
}

export interface RecordRow {
  readonly room: string;
  readonly kind: string;
  readonly key: string;
  readonly version: number;
  readonly value: string;
  readonly due: number | null;
}

const LOGGED = "SELECT e.seq, e.body, o.outcome FROM entries e LEFT JOIN outcomes o USING (session, seq)";

/** Every statement of the store, prepared once per open file. */
export type Statements = ReturnType<typeof prepareStatements>;

export function prepareStatements(driver: Driver) {
  return { ...logStatements(driver), ...recordStatements(driver), ...valueStatements(driver) };
}

function logStatements(driver: Driver) {
  return {
    raiseEpoch: driver.prepare<[], { value: number }>(
      "INSERT INTO meta VALUES ('epoch', 1) ON CONFLICT DO UPDATE SET value = value + 1 RETURNING value",
    ),
    insertEntry: driver.prepare<[{ session: string; seq: number; id: string; burst: string; body: string }]>(
      "INSERT INTO entries VALUES (@session, @seq, @id, @burst, @body)",
    ),
    putOutcome: driver.prepare<[{ session: string; seq: number; outcome: string }]>(
      "INSERT OR REPLACE INTO outcomes VALUES (@session, @seq, @outcome)",
    ),
    putHead: driver.prepare<[HeadRow]>(
      `INSERT OR REPLACE INTO heads
       VALUES (@session, @room, @seq, @at, @waking, @cursor_seq, @cursor_part, @cursor_attempt)`,
    ),
    read: driver.prepare<[string, number, number], EntryRow>(
      `${LOGGED} WHERE e.session = ? AND e.seq > ? ORDER BY e.seq LIMIT ?`,
    ),
    tail: driver.prepare<[string, number, number], EntryRow>(
      `${LOGGED} WHERE e.session = ? AND e.seq < ? ORDER BY e.seq DESC LIMIT ?`,
    ),
    burstStart: driver.prepare<[string], { seq: number }>(
      `SELECT seq FROM entries
       WHERE session = ? AND burst <> 'transparent' AND burst = 'resets' ORDER BY seq DESC LIMIT 1`,
    ),
    burstUsed: driver.prepare<[string, number, number], { used: number }>(
      `SELECT count(*) AS used FROM
       (SELECT 1 FROM entries WHERE session = ? AND burst <> 'transparent' AND seq > ? LIMIT ?)`,
    ),
    find: driver.prepare<[string, string], EntryRow>(`${LOGGED} WHERE e.session = ? AND e.id = ?`),
    head: driver.prepare<[string], HeadRow>("SELECT * FROM heads WHERE session = ?"),
    heads: driver.prepare<[string], HeadRow>(
      "SELECT * FROM heads WHERE room = ? ORDER BY session = room DESC, at DESC, session",
    ),
    dirty: driver.prepare<[number], { session: string }>(
      "SELECT session FROM heads WHERE waking > cursor_seq ORDER BY session LIMIT ?",
    ),
  };
}

function recordStatements(driver: Driver) {
  return {
    putRecord: driver.prepare<[Omit<RecordRow, "version">]>(
      `INSERT INTO records VALUES (@room, @kind, @key, 1, @value, @due)
       ON CONFLICT DO UPDATE SET version = version + 1, value = excluded.value, due = excluded.due`,
    ),
    deleteRecord: driver.prepare<[string, string, string]>(
      "DELETE FROM records WHERE room = ? AND kind = ? AND key = ?",
    ),
    record: driver.prepare<[string, string, string], RecordRow>(
      "SELECT * FROM records WHERE room = ? AND kind = ? AND key = ?",
    ),
    records: driver.prepare<[string, string], RecordRow>(
      "SELECT * FROM records WHERE room = ? AND kind = ? ORDER BY key",
    ),
    rooms: driver.prepare<[string], { room: string }>("SELECT DISTINCT room FROM records WHERE kind = ? ORDER BY room"),
    due: driver.prepare<[string, number, number], RecordRow>(
      "SELECT * FROM records WHERE kind = ? AND due <= ? ORDER BY due, key, room LIMIT ?",
    ),
  };
}

function valueStatements(driver: Driver) {
  return {
    putValue: driver.prepare<[string, string, string, number | null]>(
      "INSERT OR REPLACE INTO key_values VALUES (?, ?, ?, ?)",
    ),
    value: driver.prepare<[string, string, number], { text: string }>(
      "SELECT text FROM key_values WHERE namespace = ? AND key = ? AND (expires IS NULL OR expires > ?)",
    ),
    values: driver.prepare<[string, number], { key: string; text: string }>(
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
