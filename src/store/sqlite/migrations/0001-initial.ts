import type { Migration } from "./migration.js";

/**
 * The first layout. Logs and records are clustered by their keys, so that a tail or a room's records are one range.
 * `entries_bearing` counts the burst without a look at the entries, `heads_dirty` holds only the sessions that have work.
 */
export const initial: Migration = {
  layout: 1,
  sql: `
    CREATE TABLE meta (
      name TEXT PRIMARY KEY,
      value INTEGER NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE entries (
      session TEXT NOT NULL,
      seq INTEGER NOT NULL,
      id TEXT NOT NULL,
      burst TEXT NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (session, seq)
    ) WITHOUT ROWID;
    CREATE UNIQUE INDEX entries_by_id ON entries (session, id);
    CREATE INDEX entries_bearing ON entries (session, seq, burst) WHERE burst <> 'transparent';

    CREATE TABLE outcomes (
      session TEXT NOT NULL,
      seq INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      PRIMARY KEY (session, seq)
    ) WITHOUT ROWID;

    CREATE TABLE heads (
      session TEXT PRIMARY KEY,
      room TEXT NOT NULL,
      seq INTEGER NOT NULL,
      at INTEGER NOT NULL,
      waking INTEGER NOT NULL,
      cursor_seq INTEGER NOT NULL,
      cursor_part INTEGER NOT NULL,
      cursor_attempt INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX heads_by_room ON heads (room);
    CREATE INDEX heads_dirty ON heads (session) WHERE waking > cursor_seq;

    CREATE TABLE records (
      room TEXT NOT NULL,
      kind TEXT NOT NULL,
      key TEXT NOT NULL,
      version INTEGER NOT NULL,
      value TEXT NOT NULL,
      due INTEGER,
      PRIMARY KEY (room, kind, key)
    ) WITHOUT ROWID;
    CREATE INDEX records_by_kind ON records (kind, room);
    CREATE INDEX records_due ON records (kind, due, key, room) WHERE due IS NOT NULL;

    CREATE TABLE key_values (
      namespace TEXT NOT NULL,
      key TEXT NOT NULL,
      text TEXT NOT NULL,
      expires INTEGER,
      PRIMARY KEY (namespace, key)
    ) WITHOUT ROWID;
    CREATE INDEX key_values_expiring ON key_values (expires) WHERE expires IS NOT NULL;
  `,
};
