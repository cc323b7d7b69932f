import { describe, expect, test } from 'bun:test'
import { schemaExample } from '../../../build/docs/examples.ts'
import { buildSite, renderFiles, renderPage, searchEntries } from '../../../build/docs/index.ts'
import type { OpenApiDocument } from '../../../build/docs/openapi.ts'
import {
  API_URL,
  curlCommand,
  exampleRequest,
  javascriptCode,
  pythonCode,
} from '../../../build/docs/samples.ts'
import { memberEntry } from '../../../build/docs/schema.ts'
import type { CommandReference } from '../../../cli/reference.ts'
import { DEFAULT_PLANS } from '../../model/plan.ts'
import type { Assets } from '../kit/assets.ts'
import { docsCsp, docsRoutes } from './docs.ts'

const built = { url: (name: string) => `/~/${name}`, text: () => '' }

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
  ],
  responses: { 200: { description: 'Done.' } },
}

const document: OpenApiDocument = {
  info: { title: 'Handbill API', summary: 'Publish.', description: 'Publish <pages>.' },
  tags: [{ name: 'Pages', description: 'Create and read pages.' }],
  paths: {
    '/pages': { post: createPage, get: listPages },
    '/pages/{id}': {
      delete: {
        operationId: 'deletePage',
        tags: ['Pages'],
        summary: 'Delete a page.',
        responses: { 204: { description: 'Done.' } },
      },
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

const commands: CommandReference = {
  groups: [
    {
      title: 'Look after your pages',
      commands: [
        {
          name: 'rm',
          aliases: ['delete'],
          args: 'PAGE',
          summary: 'delete a page',
          example: 'handbill rm a.html',
          options: [{ spelling: '--yes', help: 'do not ask' }],
          hasSettings: false,
        },
      ],
    },
  ],
  settings: [{ spelling: '--title TEXT', help: "The title; '' clears it." }],
}

function siteOf(openApi: OpenApiDocument) {
  const site = buildSite({ openApi, tools: [], commands })
  const visible = (path: string) => {
    const page = site.pages.find((each) => each.path === path)!
    return renderPage(site, page, { assets: built, csp: docsCsp(''), script: '' })
  }
  return { ...site, shown: visible }
}

const ofDocument = siteOf(document)

describe('the documentation', () => {
  const { pages, shown } = ofDocument
  const reference = shown('/docs/api/pages')

  test('has a page for each tag, which the navigation of every page links to', () => {
    for (const { path } of pages) {
      expect(shown(path)).toContain('<a href="/docs/api/pages"')
      expect(shown(path).match(/<h1>/g), path).toHaveLength(1)
    }
    expect(reference).toContain('<h1>Pages</h1>')
    expect(reference).toContain('<p class="lead">Create and read pages.</p>')
  })
  test('describes authentication, and lists the operations', () => {
    const overview = shown('/docs/api')
    expect(overview).toContain('Authorization: Bearer sm_…')
    expect(overview).toContain('<a href="/docs/api/pages#createPage">Create a page')
  })
  test('lists each operation under its tag, with an anchor and a link in the navigation', () => {
    expect(reference).toContain('<section class="operation" id="createPage">')
    expect(reference).toContain('<a href="#createPage">Create a page</a>')
    expect(reference).toContain('id="deletePage"')
  })
  test('shows the type, default, limits and description of each member', () => {
    expect(reference).toContain('one of <code>link</code>, <code>private</code>')
    expect(reference).toContain('default <code>true</code>')
    expect(reference).toContain('2 to 12 items; at most 200 characters each')
    expect(reference).toContain('at most 4,194,304 characters')
    expect(reference).toContain('1 to 200')
    expect(shown('/docs/api/objects')).toContain('text or null')
    expect(shown('/docs/api/objects')).toContain('<p>Display title.</p>')
  })
  test('uses the singular for a limit of one', () => {
    const entry = { name: 'x', isRequired: false, direction: 'request' as const }
    const rendered = (schema: object) => memberEntry({ ...entry, schema }).toString()
    expect(rendered({ type: 'string', minLength: 1 })).toContain('>not empty<')
    expect(rendered({ type: 'array', minItems: 1 })).toContain('>at least 1 item<')
    expect(rendered({ type: 'integer', minimum: 0 })).not.toContain('limits')
  })
  test('nests the members of list items under the list', () => {
    expect(reference).toContain('list of object')
    expect(reference).toMatch(
      /<code class="name">files<\/code>[\s\S]*<code class="name">path<\/code>/,
    )
  })
  test('marks members of requests as required, and never members of responses', () => {
    const member = (page: string, name: string, from: string) => {
      const rest = page.slice(page.indexOf(`id="${from}"`))
      return rest.slice(rest.indexOf(`<code class="name">${name}</code>`)).split('</dt>')[0]
    }
    expect(member(reference, 'html', 'createPage')).toContain('required')
    expect(member(reference, 'publish', 'createPage')).not.toContain('required')
    expect(member(reference, 'data', 'createPage')).not.toContain('required')
    expect(member(shown('/docs/api/objects'), 'id', 'object-Page')).not.toContain('required')
  })
  test('links an answer to its objects, and follows references', () => {
    expect(reference).toContain('<a href="/docs/api/objects#object-Page">Page</a>')
    expect(shown('/docs/api/objects')).toContain('id="object-Page"')
    expect(reference).toContain('<code>201</code> Created.')
    expect(reference).not.toContain('<code>413</code>')
  })
  test('lists each error code with status, meaning and cure', () => {
    const errors = shown('/docs/errors')
    const rest = errors.slice(errors.indexOf('id="error-duplicate_title"'))
    const entry = rest.slice(0, rest.indexOf('</dd>'))
    expect(entry).toContain('<span class="type">409</span>')
    expect(entry).toContain('<p>Means <code>duplicate_title</code>.</p>')
    expect(entry).toContain('<p class="cure">Do &lt;better&gt;.</p>')
    expect(entry).not.toContain('no_content')
  })
  test('links an operation to its error codes, lowest status first', () => {
    const operation = reference.slice(reference.indexOf('id="createPage"'))
    const codes = [...operation.matchAll(/<a href="\/docs\/errors#error-(\w+)"><code>/g)]
    expect(codes.map(([, code]) => code)).toEqual(['no_content', 'duplicate_title'])
  })
  test('lists a code in both of its lists, with one anchor', () => {
    const errors = shown('/docs/errors')
    expect(errors.match(/Means <code>rate_limited<\/code>/g)).toHaveLength(2)
    expect(errors.match(/id="error-rate_limited"/g)).toHaveLength(1)
  })
  test('renders the chapters of the description as sections of the guide', async () => {
    const description =
      'Before.\n\n## Of drafts\n\n- one\n  more\n- two\n\n```sh\na\n\nb < c\n```\n\nAfter.'
    const { shown: shownWith } = siteOf({
      ...document,
      info: { title: 'T', summary: 'S', description },
    })
    const guide = shownWith('/docs/guide')
    expect(guide).toContain('<section id="of-drafts">\n<h2><a href="#of-drafts">Of drafts</a></h2>')
    expect(guide).toContain('<li><a href="#of-drafts">Of drafts</a></li>')
    expect(guide).toContain('<ul><li>one\nmore</li><li>two</li></ul>')
    expect(guide).toMatch(/\n\n<span class="hljs-title">b<\/span> &lt; c<\/code><\/pre>/)
    expect(guide).toContain('<p>After.</p>')
    expect(guide).not.toContain('```')
  })
  test('describes each command with its options and other names', () => {
    const cli = shown('/docs/cli')
    const rest = cli.slice(cli.indexOf('<section id="command-rm">'))
    const command = rest.slice(0, rest.indexOf('</section>'))
    expect(command).toContain('Delete a page. Also <code>delete</code>.')
    expect(command).toContain('<code class="name">--yes</code>')
    expect(command).toContain('Do not ask.')
    expect(cli).toContain('<code class="name">--title TEXT</code>')
    expect(cli).not.toContain('| command |')
  })
  test('escapes the texts of the document, and has no script but its own', () => {
    expect(shown('/docs/errors')).toContain('Do &lt;better&gt;.')
    expect(shown('/docs/api')).toContain('Publish &lt;pages&gt;.')
    expect(reference).toContain('The page’s &lt;html&gt;.')
    expect(reference).toContain('<p>Supply <code>html</code> or <code>files</code>.</p>')
    expect(reference).toContain('<ul><li>one</li><li>two</li></ul>')
    for (const { path } of pages) {
      expect(shown(path), path).not.toMatch(/<script>[^<]|<script \w| on\w+=| style=/)
    }
    expect(docsCsp('x')).not.toContain('unsafe')
    expect(docsCsp('x')).toStartWith("default-src 'none'; ")
  })
})

describe('the entries of the search', () => {
  const entries = searchEntries(ofDocument.pages)
  const textOf = (url: string) => entries.find((each) => each.url === url)?.text

  test('have an address each, and no markup', () => {
    expect(new Set(entries.map(({ url }) => url)).size).toBe(entries.length)
    expect(entries.filter(({ text }) => /<\/?(?:p|code|div|a|span)\b|&\w+;/.test(text))).toEqual([])
  })
  test('contain the parameters of an operation, and no example', () => {
    expect(textOf('/docs/api/pages#createPage')).toContain('poll_options')
    expect(textOf('/docs/api/pages#createPage')).not.toContain('curl')
  })
  test('are one for each error code, command and setting of the server', () => {
    expect(textOf('/docs/errors#error-no_content')).toBe('400. Means no_content. Do <better>.')
    expect(textOf('/docs/cli#command-rm')).toContain('Delete a page.')
    expect(textOf('/docs/configuration#PORT')).toContain('The port to listen on.')
  })
})

function request(method: string, path: string, operation: object) {
  const answered = { responses: { 204: { description: 'Done.' } }, ...operation }
  const named = { operationId: 'x', tags: ['Pages'], summary: 'Do it.', ...answered }
  return exampleRequest(document, { id: 'x', group: 'Pages', method, path, operation: named })
}

describe('an example command', () => {
  const curl = (method: string, path: string, operation: object) =>
    curlCommand(request(method, path, operation))

  test('posts the smallest valid body', () => {
    expect(curl('post', '/pages', createPage)).toBe(
      [
        `curl -X POST ${API_URL}/pages \\`,
        '  -H "Authorization: Bearer $HANDBILL_API_KEY" \\',
        '  -H "Content-Type: application/json" \\',
        `  -d '{ "html": "<h1>Hello</h1>" }'`,
      ].join('\n'),
    )
  })
  test('has placeholders in capitals', () => {
    expect(curl('get', '/pages', listPages)).toStartWith(`curl ${API_URL}/pages \\`)
    expect(curl('delete', '/pages/{id}', {})).toStartWith(`curl -X DELETE ${API_URL}/pages/ID`)
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

describe('an example in JavaScript', () => {
  test('sends the body as JSON, with the key from the environment', () => {
    expect(javascriptCode(request('post', '/pages', createPage))).toBe(
      [
        "import { env } from 'node:process'",
        '',
        'const key = env.HANDBILL_API_KEY',
        `const url = '${API_URL}/pages'`,
        'const response = await fetch(url, {',
        "  method: 'POST',",
        '  headers: {',
        `    Authorization: \`Bearer \${key}\`,`,
        "    'Content-Type': 'application/json',",
        '  },',
        "  body: JSON.stringify({ html: '<h1>Hello</h1>' }),",
        '})',
        'console.log(response.status, await response.json())',
      ].join('\n'),
    )
  })
  test('quotes names and texts', () => {
    const sample = { type: 'object', properties: { 'a-b': { const: 'it\'s "so"\n' } } }
    const operation = { requestBody: { content: { 'application/json': { schema: sample } } } }
    const code = javascriptCode(request('post', '/x', operation))
    expect(code).toContain(`{ 'a-b': 'it\\'s "so"\\n' }`)
  })
})

describe('an example in Python', () => {
  test('writes JSON as Python does', () => {
    const sample = {
      type: 'object',
      required: ['a', 'b', 'c'],
      properties: { a: { const: true }, b: { const: [null] }, c: { const: 'it\'s "so"' } },
    }
    const operation = { requestBody: { content: { 'application/json': { schema: sample } } } }
    const code = pythonCode(request('post', '/x', operation))
    expect(code).toContain(`json={"a": True, "b": [None], "c": "it's \\"so\\""},`)
    expect(code).toContain('headers={"Authorization": f"Bearer {key}"},')
  })
  test('prints no answer where there is none', () => {
    const code = pythonCode(request('delete', '/pages/{id}', { responses: { 204: {} } }))
    expect(code).toContain(`requests.delete(\n    "${API_URL}/pages/ID",`)
    expect(code).toEndWith('print(response.status_code)')
  })
})

test('an example in each language saves an answer that is a file', () => {
  const answer = { 200: { content: { '*/*': { schema: {} } } } }
  const download = request('get', '/account/export', { responses: answer })
  expect(curlCommand(download)).toEndWith(' \\\n  -o FILE')
  expect(javascriptCode(download)).toStartWith("import { writeFile } from 'node:fs/promises'\n")
  expect(javascriptCode(download)).toEndWith("\nawait writeFile('FILE', response.body)")
  expect(pythonCode(download)).toEndWith('\nopen("FILE", "wb").write(response.content)')
})

describe('a server', () => {
  const description =
    'At {{plan_free}} on https://this-server.invalid.\n\n## Limits\n\n- {{plan_pro}}.'
  const openApi = { ...document, info: { title: 'T', summary: 'Of {{plan_free}}', description } }
  const files = renderFiles({ openApi, tools: [], commands }, built)
  const assets: Assets = {
    ...built,
    path: (name) => name,
    has: (name) => files.has(name),
    text: (name) => files.get(name) ?? '',
    respond: () => null,
  }
  const free = { ...DEFAULT_PLANS.free, name: 'Start "<b>"', price: '3 €' }
  const plans = { ...DEFAULT_PLANS, free, pro: { ...DEFAULT_PLANS.pro, name: 'Pro & co' } }
  const routes = docsRoutes({ assets, baseUrl: 'https://docs.example', plans })
  const textAt = async (path: string) => (await routes.request(path)).text()

  test('has its own address and plans in every file, written as the file requires', async () => {
    const paths = ['/openapi.json', '/llms.txt', '/llms-full.txt', '/skill.md', '/docs/search.json']
    for (const path of [...paths, ...ofDocument.pages.map((page) => page.path), '/docs/search']) {
      expect(await textAt(path), path).not.toMatch(/this-server|\{\{/)
    }
    expect(JSON.parse(await textAt('/openapi.json')).info.description).toContain(
      'At Start "<b>" (3 €): 5 MB a page or file, 5 MB a deck with up to 60 HTML files and 150 ' +
        'assets of 5 MB, 500 MB for all pages',
    )
    expect(await textAt('/docs/guide')).toContain('<li>Pro &amp; co: 50 MB a page or file')
    expect(await textAt('/llms-full.txt')).toContain('> Of Start "<b>" (3 €): 5 MB')
    expect(await textAt('/docs')).toContain('https://docs.example/api/v1/pages')
    const entries = JSON.parse(await textAt('/docs/search.json')) as { text: string }[]
    expect(entries.some(({ text }) => text.startsWith('Pro & co: 50 MB'))).toBe(true)
  })
  test('leaves a query as it was typed', async () => {
    const page = await textAt(`/docs/search?q=${encodeURIComponent('{{results}} $& <i>')}`)
    expect(page).toContain('value="{{results}} $&amp; &lt;i&gt;"')
    expect(page.match(/<h1>/g)).toHaveLength(1)
  })
  test('looks an address up in a time that grows with its length alone', async () => {
    const since = performance.now()
    expect((await routes.request(`/docs${'/'.repeat(60_000)}x`)).status).toBe(404)
    expect(performance.now() - since).toBeLessThan(2000)
  })
  test('serves no file of the build as a page', async () => {
    for (const path of ['/docs-search', '/docs/search-template', '/docs/docs', '/docs/search/']) {
      expect((await routes.request(path)).status, path).toBe(404)
    }
  })
})
