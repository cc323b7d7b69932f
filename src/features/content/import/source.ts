import { refuse } from '../../../model/errors.ts'
import type { ContentInput } from '../contract.ts'

const SOURCES = [
  'html',
  'html_base64',
  'html_url',
  'html_upload',
  'files',
  'file_base64',
  'file_url',
  'file_upload',
] as const
export type SourceName = (typeof SOURCES)[number]

/** The sources that each of the other content members belongs to. */
const COMPANIONS = {
  sha256: /^html/,
  entry: /^files$/,
  assets: /^files$/,
  filename: /^file_/,
  mime: /^file_/,
} as const

/** The one source that the request names. @throws Refusal `content_source` */
export function contentSource(input: ContentInput): SourceName {
  const [source, another] = SOURCES.filter((name) => input[name] !== undefined)
  if (source === undefined) {
    const message = `Send the content in one of ${SOURCES.join(', ')}.`
    throw refuse.invalid('content_source', message, { param: 'body' })
  }
  if (another !== undefined) {
    throw refuse.invalid(
      'content_source',
      `Send the content in one member only, not in both ${source} and ${another}.`,
      { param: another },
    )
  }
  for (const [companion, belongsTo] of Object.entries(COMPANIONS)) {
    if (input[companion as keyof ContentInput] === undefined || belongsTo.test(source)) continue
    throw refuse.invalid(
      'content_source',
      `${companion} does not go with ${source}: leave it out.`,
      { param: companion },
    )
  }
  return source
}
