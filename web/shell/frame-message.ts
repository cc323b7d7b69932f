import { type FrameMessage, QUOTA } from './handle-message.ts'

/** In characters: more than the server takes. */
const SUBMISSION = 300_000
const AREAS = new Set(['local', 'session', 'cookie'])

/** What comes from the page is anything at all until it is looked at. */
export function isFrameMessage(value: unknown): value is FrameMessage {
  if (typeof value !== 'object' || value === null) return false
  const said = value as Record<string, unknown>
  if ('at' in said) return isText(said.at, 8000) && isText(said.title, 500)
  if ('go' in said) return isText(said.go, 8000)
  if ('height' in said) return typeof said.height === 'number' && Number.isFinite(said.height)
  if ('send' in said) return isSubmission(said.send)
  if (typeof said.area !== 'string' || !AREAS.has(said.area)) return false
  if (said.key === null) return said.value === null
  return isText(said.key, QUOTA) && (said.value === null || isText(said.value, QUOTA))
}

/** The server looks at all of it again: this keeps what it is not meant to see at all. */
function isSubmission(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { stamp, id, data, name = '', controls, trap = '' } = value as Record<string, unknown>
  if (![stamp, id, data, name, trap].every((text) => isText(text, SUBMISSION))) return false
  return Array.isArray(controls) && controls.length <= 1000 && controls.every(isControl)
}

function isControl(value: unknown): boolean {
  const { name, label, kind } = (value ?? {}) as Record<string, unknown>
  const texts = [name, label ?? '', kind]
  return texts.every((text) => isText(text, 1000))
}

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most
}
