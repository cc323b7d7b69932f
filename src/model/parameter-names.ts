import { closestName } from './suggest.ts'

/** Names that people write for a parameter which is called otherwise, in any operation. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  content: ['html'],
  body: ['html'],
  markup: ['html'],
  text: ['html', 'replace'],
  source: ['html'],
  data: ['html', 'data_base64'],
  url: ['html_url', 'file_url'],
  file: ['file_base64', 'upload'],
  name: ['title', 'filename', 'label'],
  visibility: ['access'],
  emails: ['allowed_emails'],
  invitees: ['allowed_emails'],
  people: ['allowed_emails'],
  domains: ['allowed_domains'],
  expires: ['expires_at'],
  expiry: ['expires_at'],
  view_limit: ['max_views'],
  color: ['accent'],
  colour: ['accent'],
  comments: ['allow_comments'],
  published: ['publish'],
  is_published: ['publish'],
  old: ['find'],
  old_string: ['find'],
  new: ['replace'],
  new_string: ['replace'],
}

/** The known parameter that an unknown one most likely means; null where none is near. */
export function closestParameter(unknown: string, known: readonly string[]): string | null {
  const written = unknown
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
  const others = Object.hasOwn(OTHER_NAMES, written) ? OTHER_NAMES[written]! : []
  const other = others.find((name) => known.includes(name))
  return other ?? closestName(written, known, written.length <= 4 ? 1 : 2)
}
