import { describe, expect, test } from 'bun:test'
import type { Assets } from '../../kit/assets.ts'
import type { OpenApiDocument } from '../../kit/openapi-document.ts'
import { docsCsp, docsPage } from './docs-page.ts'
import { curlCommand, schemaExample } from './examples.ts'
import { memberEntry } from './schema.ts'

const assets: Assets = { url: (name) => `/~/${name}`, respond: () => null }
const baseUrl = 'https://pages.example.com'
const server = `${baseUrl}/api/v1`

const createPage = {
  operationId: 'createPage',
  tags: ['Pages'],
  summary: 'Create a page, live at once.',
  description: 'Supply `html` or `files`.\n\n- one\n- two',
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['html'],
          properties: {
            html: { type: 'string', description: 'The page’s <html>.', maxLength: 4_194_304 },
            publish: { type: 'boolean', default: true },
            access: { type: 'string', enum: ['link', 'private'], default: 'link' },
            poll_options: {
              type: 'array',
              items: { type: 'string', maxLength: 200 },
              minItems: 2,
              maxItems: 12,
            },
            files: {
              type: 'array',
              items: {
                type: 'object',
                required: ['path'],
                properties: { path: { type: 'string' } },
              },
            },
          },
        },
      },
    },
  },
  responses: {
    201: {
      description: 'Created.',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['data'],
            properties: { data: { $ref: '#/components/schemas/Page' } },
          },
        },
      },
    },
    413: { $ref: '#/components/responses/TooLarge' },
  },
  'x-error-codes': ['duplicate_title', 'no_content'],
}

const listPages = {
  operationId: 'listPages',
  tags: ['Pages'],
  summary: 'List your pages.',
  parameters: [
    { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 200 } },
    { name: 'since', in: 'query', required: true, schema: { type: 'string' } },
  ],
  responses: { 200: { description: 'Done.' } },
}

const document: OpenApiDocument = {
  info: { title: 'Handbill API', description: 'Publish <pages>.' },
  servers: [{ url: server }],
  tags: [{ name: 'Pages', description: 'Create and read pages.' }],
  paths: {
    '/pages': { post: createPage, get: listPages },
    '/pages/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      delete: { tags: ['Pages'], summary: 'Delete a page.', responses: {} },
    },
  },
  components: {
    schemas: {
      Page: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string' },
          title: { type: ['string', 'null'], description: 'Display title.' },
        },
      },
    },
    responses: { TooLarge: { description: 'Over 4 MB.' } },
    securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key.' } },
  },
  'x-errors': [
    { ...describedError('bad_key', 401), where: 'everywhere' },
    { ...describedError('rate_limited', 429), where: 'everywhere' },
    { ...describedError('duplicate_title', 409), where: 'operations' },
    { ...describedError('no_content', 400), where: 'operations' },
    { ...describedError('closed', 409), where: 'forms' },
    { ...describedError('rate_limited', 429), where: 'forms' },
  ],
}

function describedError(code: string, status: number) {
  return { code, status, meaning: `Means \`${code}\`.`, cure: 'Do <better>.' }
}

describe('the docs page', () => {
  const options = { nonce: 'n0nce', assets, baseUrl }
  const page = docsPage(document, options)

  test('starts with authentication and the shape of errors', () => {
    expect(page).toContain('<h1>Handbill API</h1>')
    expect(page).toContain('Authorization: Bearer sm_…')
    expect(page).toContain('<section id="errors">')
  })
  test('lists each operation under its tag, with an anchor and a link in the contents', () => {
    expect(page).toContain('<section class="operation" id="createPage">')
    expect(page).toContain('<a href="#createPage">Create a page</a>')
    expect(page).toContain('id="delete-pages-id"')
    expect(page.indexOf('id="pages"')).toBeLessThan(page.indexOf('id="listPages"'))
  })
  test('shows the type, default, limits and description of each member', () => {
    expect(page).toContain('one of <code>link</code>, <code>private</code>')
    expect(page).toContain('default <code>true</code>')
    expect(page).toContain('2 to 12 items; at most 200 characters each')
    expect(page).toContain('at most 4,194,304 characters')
    expect(page).toContain('1 to 200')
    expect(page).toContain('text or null')
    expect(page).toContain('<p>Display title.</p>')
  })
  test('uses the singular for a limit of one', () => {
    const entry = { name: 'x', isRequired: false, direction: 'request' as const }
    const rendered = (schema: object) => memberEntry({ ...entry, schema }).toString()
    expect(rendered({ type: 'string', minLength: 1 })).toContain('>not empty<')
    expect(rendered({ type: 'array', minItems: 1 })).toContain('>at least 1 item<')
    expect(rendered({ type: 'integer', minimum: 0 })).not.toContain('limits')
  })
  test('nests the members of list items under the list', () => {
    expect(page).toContain('list of object')
    expect(page).toMatch(/<code class="name">files<\/code>[\s\S]*<code class="name">path<\/code>/)
  })
  test('marks members of requests as required, and never members of responses', () => {
    const member = (name: string, from: string) => {
      const rest = page.slice(page.indexOf(`id="${from}"`))
      return rest.slice(rest.indexOf(`<code class="name">${name}</code>`)).split('</dt>')[0]
    }
    expect(member('html', 'createPage')).toContain('required')
    expect(member('publish', 'createPage')).not.toContain('required')
    expect(member('data', 'createPage')).not.toContain('required')
    expect(member('id', 'object-Page')).not.toContain('required')
  })
  test('links an answer to its objects, and follows references', () => {
    expect(page).toContain('<a href="#object-Page">Page</a>')
    expect(page).toContain('id="object-Page"')
    expect(page).toContain('<code>201</code> Created.')
    expect(page).not.toContain('<code>413</code>')
  })
  test('lists each error code with status, meaning and cure', () => {
    const rest = page.slice(page.indexOf('id="error-duplicate_title"'))
    const entry = rest.slice(0, rest.indexOf('</dd>'))
    expect(entry).toContain('<span class="type">409</span>')
    expect(entry).toContain('<p>Means <code>duplicate_title</code>.</p>')
    expect(entry).toContain('<p class="cure">Do &lt;better&gt;.</p>')
    expect(entry).not.toContain('no_content')
  })
  test('links an operation to its error codes, lowest status first', () => {
    const operation = page.slice(page.indexOf('id="createPage"'), page.indexOf('id="objects"'))
    const codes = [...operation.matchAll(/<a href="#error-(\w+)"><code>/g)].map(([, code]) => code)
    expect(codes).toEqual(['no_content', 'duplicate_title'])
  })
  test('lists a code in both of its lists, with one anchor', () => {
    expect(page.match(/Means <code>rate_limited<\/code>/g)).toHaveLength(2)
    expect(page.match(/id="error-rate_limited"/g)).toHaveLength(1)
  })
  test('renders the chapters of the description as sections', () => {
    const text =
      'Before.\n\n## Of drafts\n\n- one\n  more\n- two\n\n```sh\na\n\nb < c\n```\n\nAfter.'
    const shown = docsPage({ ...document, info: { title: 'T', description: text } }, options)
    expect(shown).toContain('<section id="of-drafts">\n<h2>Of drafts</h2>')
    expect(shown).toContain('<li><a href="#of-drafts">Of drafts</a></li>')
    expect(shown).toContain('<ul><li>one\n  more</li><li>two</li></ul>')
    expect(shown).toContain('<code>a\n\nb &lt; c</code></pre>\n<p>After.</p>')
    expect(shown).not.toContain('```')
  })
  test('escapes the texts of the document, and needs no script', () => {
    expect(page).toContain('Publish &lt;pages&gt;.')
    expect(page).toContain('The page’s &lt;html&gt;.')
    expect(page).toContain('<p>Supply <code>html</code> or <code>files</code>.</p>')
    expect(page).toContain('<ul><li>one</li><li>two</li></ul>')
    expect(page).not.toMatch(/<script| on\w+=| style=/)
    expect(docsCsp('n0nce')).not.toMatch(/script|unsafe/)
  })
  test('has every anchor that it links to', () => {
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map((found) => found[1]))
    const linked = [...page.matchAll(/href="#([^"]+)"/g)].map((found) => found[1])
    expect(linked.filter((anchor) => !ids.has(anchor))).toEqual([])
  })
})

describe('an example command', () => {
  const curl = (method: string, path: string, operation: object) =>
    curlCommand(document, { id: 'x', method, path, operation }, server)

  test('posts the smallest valid body', () => {
    expect(curl('post', '/pages', createPage)).toBe(
      [
        `curl -X POST ${server}/pages \\`,
        '  -H "Authorization: Bearer $HANDBILL_API_KEY" \\',
        '  -H "Content-Type: application/json" \\',
        `  -d '{ "html": "<h1>Hello</h1>" }'`,
      ].join('\n'),
    )
  })
  test('has placeholders in capitals, and quotes an address with a query', () => {
    expect(curl('get', '/pages', listPages)).toStartWith(`curl "${server}/pages?since=SINCE"`)
    expect(curl('delete', '/pages/{id}', {})).toStartWith(`curl -X DELETE ${server}/pages/ID`)
  })
  test('escapes quotes in the body', () => {
    const sample = { type: 'object', properties: { label: { const: `it's` } } }
    const operation = { requestBody: { content: { 'application/json': { schema: sample } } } }
    expect(curl('post', '/x', operation)).toContain(`'{ "label": "it'\\''s" }'`)
  })
  test('uses the examples and limits of the schema', () => {
    expect(schemaExample(document, { type: 'string', format: 'email' })).toBe('ada@example.com')
    expect(schemaExample(document, { type: ['integer', 'null'], minimum: 3 })).toBe(3)
    expect(schemaExample(document, { examples: ['a'], type: 'string' })).toBe('a')
    expect(schemaExample(document, { type: 'boolean', default: true })).toBe(false)
    expect(schemaExample(document, { type: 'array', items: { enum: ['x'] } })).toEqual(['x'])
  })
})
