import { alphaAndBeta, openPause } from "./guarded-rooms.js";
import { type Act, createPuppets, type Puppets } from "./puppets.js";
import { startRooms, type TestRooms } from "./rooms.js";

type RoomsOptions = Parameters<typeof startRooms>[0];

/** A bot that the rooms of `puppetRooms` listen to. */
export const CI = { kind: "bot", id: "fake:T:ci", name: "Build bot", isAdmin: true } as const;

/** So many messages that say nearly the same. */
export const parked = (count: number, to = "beta"): Act[] =>
  Array.from({ length: count }, (_, i) => ({ send: `parked ${i}`, to }));

/** A room in which alpha, beta and gamma do what a test plans; the second near-identical message of a direction trips. */
export async function puppetRooms(
  options: Partial<RoomsOptions> = {},
  puppets: Puppets = createPuppets(),
): Promise<{ readonly rooms: TestRooms; readonly puppets: Puppets }> {
  const rooms = await startRooms({
    personas: ["alpha", "beta", "gamma"].map(puppets.persona),
    brains: () => [puppets.brain],
    budget: 500,
    guard: { repeats: 2, maxMessages: 0, alternations: 1_000 },
    room: { bots: [CI.id] },
    ...options,
  });
  return { rooms, puppets };
}

/** Such a room, with alpha and beta paused and so many messages held; `key` is its pause's notice. */
export async function pausedRooms(held: number, options: Partial<RoomsOptions> = {}) {
  const { rooms, puppets } = await puppetRooms(options);
  puppets.plan("alpha", ...parked(held + 1));
  await rooms.say("@alpha go");
  await rooms.quiet();
  const pair = await alphaAndBeta(rooms.store);
  if (pair?.state !== "paused" || pair.held !== held)
    throw new Error(`expected a pause with ${held} held, got ${pair?.state}`);
  return { rooms, puppets, key: await openPause(rooms.store) };
}
