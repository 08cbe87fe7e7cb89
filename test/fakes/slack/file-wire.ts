import type { SlackFile } from "./model.js";
import { compact, type Json } from "./wire.js";

/** A file as messages and `files.info` carry it; `filesUrl` is where this workspace hosts its files. */
export function fileWire(file: SlackFile, filesUrl: string, teamId: string): Json {
  if (file.isChecked) return { id: file.id, file_access: "check_file_info" };
  return fullFileWire(file, filesUrl, teamId);
}

/** The same with everything, also for a file that events name only by its id. */
export function fullFileWire(file: SlackFile, filesUrl: string, teamId: string): Json {
  const place = `${filesUrl}/files-pri/${teamId}-${file.id}`;
  const name = encodeURIComponent(file.name);
  const isExternal = file.externalUrl !== undefined;
  return compact({
    id: file.id,
    name: file.name,
    title: file.title,
    mimetype: file.mimetype,
    filetype: file.filetype,
    user: file.ownerId,
    size: file.bytes.byteLength,
    mode: isExternal ? "external" : "hosted",
    is_external: isExternal,
    external_type: isExternal ? "unknown" : "",
    is_public: true,
    file_access: "visible",
    url_private: file.externalUrl ?? `${place}/${name}`,
    url_private_download: isExternal ? undefined : `${place}/download/${name}`,
  });
}
