import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { channelPermissions, channelSchema, guildSchema } from "../../../adapters/discord/setup/examine-permissions.js";
import { missingRights } from "../../../adapters/discord/setup/rights.js";
import { channelWire, guildParts } from "../../fakes/discord/guild-wire.js";
import type { PermissionName } from "../../fakes/discord/permissions.js";
import { openDiscordTown } from "../../support/discord-town.js";

const NAMES: readonly PermissionName[] = [
  "administrator",
  "viewChannel",
  "sendMessages",
  "manageWebhooks",
  "attachFiles",
  "createPublicThreads",
];

/** Discord lets nobody be made an administrator of one channel. */
const change = fc
  .record({
    what: fc.constantFrom("deny" as const, "allow" as const),
    who: fc.constantFrom("everyone", "troupe", "managers"),
    name: fc.constantFrom(...NAMES),
    where: fc.constantFrom(undefined, "general"),
  })
  .filter(({ name, where }) => name !== "administrator" || where === undefined);

describe("What the bot may in a channel", () => {
  it("is worked out as Discord does it, whatever roles and channels give and take", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), fc.boolean(), async (changes, isManager) => {
        const { discord } = await openDiscordTown();
        const { workspace, botUserId } = discord;
        const home = workspace.guild("home");
        const managers = workspace.findRole(home, "managers")?.id ?? "";
        if (isManager) home.members.get(botUserId)?.roles.add(managers);
        for (const { what, who, name, where } of changes) workspace[what]("home", who, [name], where);
        const general = workspace.channel("general");

        const guild = guildSchema.parse(guildParts(home));
        const member = { id: botUserId, roles: [...(home.members.get(botUserId)?.roles ?? [])] };
        const { permission_overwrites: overwrites } = channelSchema.parse(channelWire(workspace, general));
        const ours = channelPermissions({ ...guild, member }, overwrites);
        const theirs = workspace.permissionsIn(general, botUserId);

        // Who may not see a channel may nothing there: that one is spoken of, and no other.
        const lacks = (bits: bigint) => missingRights(bits, true).map(({ name }) => name);
        if (theirs === 0n) expect(lacks(ours)).toContain("View Channels");
        else expect(lacks(ours)).toEqual(lacks(theirs));
        await discord.close();
      }),
      { numRuns: 40 },
    );
  });

  it("is everything for the owner of a server", () => {
    const guild = { id: "1", name: "home", owner_id: "2", roles: [], member: { id: "2", roles: [] } };

    expect(missingRights(channelPermissions(guild, [{ id: "1", type: 0, allow: 0n, deny: ~0n }]), true)).toEqual([]);
  });
});
