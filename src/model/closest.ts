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
  old: ['find'],
  old_string: ['find'],
  new: ['replace'],
  new_string: ['replace'],
}

/** The known name that an unknown one most likely means; null where none is near. */
export function closestName(unknown: string, known: readonly string[]): string | null {
  const wanted = unknown
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
  const other = (Object.hasOwn(OTHER_NAMES, wanted) ? OTHER_NAMES[wanted] : undefined)?.find(
    (name) => known.includes(name),
  )
  if (other !== undefined) return other
  const [best] = known
    .map((name) => ({ name, distance: editDistance(squeeze(wanted), squeeze(name)) }))
    .sort((a, b) => a.distance - b.distance)
  const limit = wanted.length <= 4 ? 1 : 2
  return best !== undefined && best.distance <= limit ? best.name : null
}

/** `maxViews`, `max-views` and `max_views` are one name. */
function squeeze(name: string): string {
  return name.replaceAll('_', '')
}

/** Levenshtein: how many letters to add, remove or replace. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replaced))
    }
    row = next
  }
  return row[b.length]!
}
