import { QUOTA, type Said } from './messages.ts'

const AREAS = new Set(['local', 'session', 'cookie'])

/** What comes from the page is anything at all until it is looked at. */
export function isSaid(value: unknown): value is Said {
  if (typeof value !== 'object' || value === null) return false
  const said = value as Record<string, unknown>
  if ('at' in said) return isText(said.at, 8000) && isText(said.title, 500)
  if ('go' in said) return isText(said.go, 8000)
  if ('height' in said) return typeof said.height === 'number' && Number.isFinite(said.height)
  if (typeof said.area !== 'string' || !AREAS.has(said.area)) return false
  if (said.key === null) return said.value === null
  return isText(said.key, QUOTA) && (said.value === null || isText(said.value, QUOTA))
}

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most
}
