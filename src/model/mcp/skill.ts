import text from '../../../skills/handbill/SKILL.md' with { type: 'text' }
import { SERVER_URL } from '../site.ts'

/** The files of the skill `skill://handbill/SKILL.md`, as `/skill.md` of the server has it. */
export function skillFiles(baseUrl: string): Record<string, string> {
  return { 'handbill/SKILL.md': text.replaceAll(SERVER_URL, baseUrl) }
}

/** It changes only with a new version of Handbill, and is the same for everybody. */
export const SKILL_OPTIONS = {
  strict: true,
  cacheHint: { ttlMs: 5 * 60_000, cacheScope: 'public' },
} as const
