import type { Command, Flag } from '../command.ts'

const OPEN: Flag = { type: 'boolean', help: 'open the page in a browser' }
const DRAFT: Flag = { type: 'boolean', help: 'keep it a draft: nobody sees it yet' }
const ENTRY: Flag = { type: 'string', value: 'FILE', help: 'the first page of a deck' }
const PUBLISH: Flag = { type: 'boolean', help: 'publish the result as well' }
const YES: Flag = { type: 'boolean', help: 'do not ask' }

/** The client's commands. PAGE is an id, a slug, a link, or a path that was published. */
export const COMMANDS: Record<string, Command> = {
  login: {
    args: '[URL]',
    summary: 'store an API key for a server',
    example: 'handbill login https://pages.example.com',
    flags: { key: { type: 'string', value: '-', help: 'read the key from standard input' } },
    load: () => import('./login.ts'),
  },
  logout: {
    args: '[URL]',
    summary: 'delete the stored key',
    example: 'handbill logout',
    load: () => import('./logout.ts'),
  },
  publish: {
    args: 'PATH…',
    summary: 'publish a file, a folder, a zip, or - (a pipe)',
    example: "handbill publish report.html --password 'four short words'",
    flags: {
      new: { type: 'boolean', help: 'make a new page, even of a path that was published before' },
      draft: DRAFT,
      entry: ENTRY,
      open: OPEN,
      yes: YES,
    },
    hasSettings: true,
    load: () => import('./publish.ts'),
  },
  update: {
    args: 'PAGE [PATH]',
    summary: 'replace the content of a page, or change its settings',
    example: 'handbill update pg_01j… report.html --expires 7d',
    flags: { draft: DRAFT, entry: ENTRY, open: OPEN, yes: YES },
    hasSettings: true,
    load: () => import('./update.ts'),
  },
  edit: {
    args: 'PAGE',
    summary: 'find and replace in the draft',
    example: 'handbill edit report.html --find Helo --replace Hello --publish',
    flags: {
      find: {
        type: 'string',
        value: 'TEXT',
        help: 'the text to replace: it must occur exactly once',
      },
      replace: { type: 'string', value: 'TEXT', help: "the new text; '' deletes the old" },
      all: { type: 'boolean', help: 'replace every occurrence' },
      file: { type: 'string', value: 'FILE', help: 'the file of a deck to edit' },
      publish: PUBLISH,
    },
    load: () => import('./edit.ts'),
  },
  list: {
    args: '',
    summary: 'list your pages',
    example: 'handbill list',
    load: () => import('./list.ts'),
  },
  get: {
    args: 'PAGE',
    summary: 'show a page and its settings',
    example: 'handbill get report.html --json',
    load: () => import('./get.ts'),
  },
  open: {
    args: 'PAGE',
    summary: 'open a page in a browser',
    example: 'handbill open report.html',
    load: () => import('./open.ts'),
  },
  versions: {
    args: 'PAGE',
    summary: 'list the versions of a page',
    example: 'handbill versions report.html',
    load: () => import('./versions.ts'),
  },
  restore: {
    args: 'PAGE N',
    summary: 'copy a version into the draft',
    example: 'handbill restore report.html 3 --publish',
    flags: { publish: PUBLISH },
    load: () => import('./restore.ts'),
  },
  responses: {
    args: 'PAGE',
    summary: 'read the responses of viewers',
    example: 'handbill responses survey.html --csv > responses.csv',
    flags: {
      csv: { type: 'boolean', help: 'all responses, as CSV' },
      since: { type: 'string', value: 'TIME', help: 'only responses sent after this time' },
      explode: { type: 'string', value: 'KEY', help: 'the list to split into rows, or none' },
    },
    load: () => import('./responses.ts'),
  },
  rm: {
    args: 'PAGE',
    summary: 'delete a page for good',
    example: 'handbill rm report.html',
    flags: { yes: YES },
    load: () => import('./rm.ts'),
  },
  mcp: {
    args: '[FOLDER]',
    summary: 'run an MCP server over stdio, with the files of FOLDER',
    example: 'handbill mcp ~/reports',
    load: () => import('./mcp.ts'),
  },
}
