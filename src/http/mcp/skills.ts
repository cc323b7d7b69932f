import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills'
import { loadOnce } from '../../platform/load-once.ts'
import type { Assets } from '../kit/assets.ts'
import { SERVER_URL } from '../kit/placeholders.ts'

/** It changes only with a new version of Handbill, and is the same for everybody. */
const CACHE_HINT = { ttlMs: 5 * 60_000, cacheScope: 'public' } as const

/** The skill at `/skill.md` as one of the MCP extension for skills: `skill://handbill/SKILL.md`. */
export function skillsOf({ assets, baseUrl }: { assets: Assets; baseUrl: string }) {
  return loadOnce(async () => {
    const text = assets.text('skill.md').replaceAll(SERVER_URL, baseUrl)
    const files = memorySkillFiles(text === '' ? {} : { 'handbill/SKILL.md': text })
    return SkillsExtension.load(files, { strict: true, cacheHint: CACHE_HINT })
  })
}
