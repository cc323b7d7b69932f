import type { DescribedError, OpenApiDocument } from '../../kit/openapi-document.ts'
import { authenticationTexts, groupEndpoints, namedSchemas, titleOf } from './document.ts'
import { errorAnchor } from './errors.ts'
import { joinBlocks, objectText, operationText } from './llms-sections.ts'
import { splitChapters } from './markdown.ts'

/** An index of the documentation for language models, in the format of llmstxt.org. */
export function llmsTxt(document: OpenApiDocument, baseUrl: string): string {
  const docs = `${baseUrl}/docs`
  const { intro, chapters } = splitChapters(document.info.description)
  return joinSections([
    '# Handbill',
    `> ${document.info.summary}`,
    intro.trim(),
    '## Documents',
    [
      link('Everything in one text', `${baseUrl}/llms-full.txt`, 'all that follows, in full'),
      link('Reference', docs, 'the same for people'),
      link('OpenAPI 3.1', `${baseUrl}/openapi.json`, 'the same for programs'),
    ],
    '## Guide',
    chapters.map(({ id, title }) => link(title, `${docs}#${id}`)),
    ...groupEndpoints(document).flatMap(({ name, endpoints }) => [
      `## ${name}`,
      endpoints.map((endpoint) => {
        const { id, method, path } = endpoint
        return link(`${method.toUpperCase()} ${path}`, `${docs}#${id}`, titleOf(endpoint))
      }),
    ]),
    '## Errors',
    uniqueErrors(document).map(({ code, status, meaning }) =>
      link(code, `${docs}#${errorAnchor(code)}`, `${status}. ${meaning}`),
    ),
  ])
}

/** The whole reference in one text. An agent needs no other document. */
export function llmsFullTxt(document: OpenApiDocument, baseUrl: string): string {
  const server = document.servers?.[0]?.url ?? baseUrl
  return joinSections([
    `# ${document.info.title}`,
    `> ${document.info.summary}`,
    document.info.description,
    '## Authentication',
    'Send `Authorization: Bearer $HANDBILL_API_KEY` with every request.',
    ...authenticationTexts(document),
    '## Operations',
    `Paths are below \`${server}\`.`,
    ...groupEndpoints(document).flatMap(({ endpoints }) =>
      endpoints.map((endpoint) => operationText(document, endpoint, server)),
    ),
    '## Objects',
    ...namedSchemas(document).map(([name, schema]) => objectText(name, schema)),
    '## Errors',
    'An error is `{"error": {"code", "message", …}}`. The request changed nothing.',
    uniqueErrors(document).map(
      ({ code, status, meaning, cure }) => `- \`${code}\` (${status}): ${meaning} ${cure}`,
    ),
  ])
}

/** A code can be in two lists of the reference. It is listed once here. */
function uniqueErrors(document: OpenApiDocument): DescribedError[] {
  const errors = document['x-errors'] ?? []
  return errors.filter(({ code }, at) => errors.findIndex((one) => one.code === code) === at)
}

function link(title: string, url: string, text?: string): string {
  return `- [${title}](${url})${text === undefined ? '' : `: ${text}`}`
}

function joinSections(sections: (string | string[] | undefined)[]): string {
  const blocks = sections.map((block) => (Array.isArray(block) ? block.join('\n') : block))
  return `${joinBlocks(blocks)}\n`
}
