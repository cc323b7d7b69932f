import type { DescribedError, OpenApiDocument } from '../../../kit/openapi-document.ts'
import { errorAddress, operationAddress } from '../api/addresses.ts'
import { plainText, splitChapters } from '../markup/markdown.ts'
import type { DocsPage } from '../markup/page.ts'
import { authenticationTexts, groupEndpoints, namedSchemas, titleOf } from '../openapi/document.ts'
import { joinBlocks, objectText, operationText } from './llms-sections.ts'

export interface LlmsOptions {
  baseUrl: string
  /** The pages of the documentation that are not about one group of operations. */
  guides: readonly DocsPage[]
}

/** An index of the documentation for language models, in the format of llmstxt.org. */
export function llmsTxt(document: OpenApiDocument, { baseUrl, guides }: LlmsOptions): string {
  const { intro } = splitChapters(document.info.description)
  return joinSections([
    '# Handbill',
    `> ${document.info.summary}`,
    intro.trim(),
    '## Documents',
    [
      link('Everything in one text', `${baseUrl}/llms-full.txt`, 'all that follows, in full'),
      link('OpenAPI 3.1', `${baseUrl}/openapi.json`, 'the same for programs'),
    ],
    '## Guides',
    guides.map(({ path, title, lead }) =>
      link(title, baseUrl + path, lead && firstSentence(plainText(lead))),
    ),
    ...groupEndpoints(document).flatMap(({ name, endpoints }) => [
      `## ${name}`,
      endpoints.map((endpoint) => {
        const { method, path } = endpoint
        const url = baseUrl + operationAddress(endpoint)
        return link(`${method.toUpperCase()} ${path}`, url, titleOf(endpoint))
      }),
    ]),
    '## Errors',
    uniqueErrors(document).map(({ code, status, meaning }) =>
      link(code, baseUrl + errorAddress(code), `${status}. ${meaning}`),
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

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/.exec(text)?.[0] ?? text
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
