import { describe, expect, it } from "vitest";
import { createProject, type RunningService, scriptedPersona, startService } from "../support/cli.js";
import { call, json } from "../support/http-client.js";
import { WEB_ROOM, webPerson } from "../support/web-room.js";

const PROJECT = {
  "troupe.yaml": "schedules: { max_per_room: 2 }",
  "personas/alpha.md": scriptedPersona("alpha", 'say: "Done."'),
};

/** The answer to a command that is typed as a message into the web room. */
async function typed({ port, key }: RunningService, text: string): Promise<unknown> {
  const path = `/api/rooms/${encodeURIComponent(WEB_ROOM)}/messages`;
  const answered = await call(port, path, { method: "POST", key, body: JSON.stringify({ text }) });
  expect(answered.status).toBe(202);
  return json(answered);
}

describe("/schedule in the web room", { timeout: 60_000 }, () => {
  it("is a command and no message; schedules outlive kill -9, and the configuration bounds them", async () => {
    const project = createProject(PROJECT);
    const service = await startService(project);

    const added = await typed(service, '/schedule add morning "0 9 * * 1-5 Europe/Berlin" alpha Greet everybody');
    expect(added).toMatchObject({ entry: null, answer: { ok: true } });
    await typed(service, "/schedule once later 2h alpha Look again");
    expect(await typed(service, "/schedule once third 2h alpha Look again")).toMatchObject({
      answer: { ok: false, view: { text: expect.stringContaining("2 is the most") } },
    });
    service.signal("SIGKILL");
    await service.exited;
    const again = await startService(project);

    const text = expect.stringMatching(
      /^- later: alpha, once at .*\n- morning: alpha, 0 9 \* \* 1-5 \(Europe\/Berlin\); next at /,
    );
    expect(await typed(again, "/schedule list")).toMatchObject({ entry: null, answer: { view: { text } } });
    const entries = await webPerson(again).entries();
    expect(entries.map(({ kind }) => kind)).toEqual(["notice", "notice"]);
    expect(JSON.stringify(entries)).not.toContain("Greet everybody");
  });
});
