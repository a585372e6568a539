import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { profilePage } from "../../scripts/profile-page.ts";
import { profileFields } from "../../src/profiles/index.ts";

it("the table in docs/profiles.md is up to date: run node scripts/profile-page.ts", async () => {
	const page = await readFile(new URL("../../docs/profiles.md", import.meta.url), "utf8");
	expect(profilePage(page)).toBe(page);
	for (const { key } of profileFields) expect(page).toContain(`| \`${key}\` |`);
});
