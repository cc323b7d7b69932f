import { EVENT_TYPES } from '../../src/model/event-types.ts'
import { COMMENT_STATES, ITEM_KINDS, ITEM_STATES } from '../../src/model/list-filters.ts'
import type { Command, Declaration, Flag } from '../command.ts'
import { SERVER_COMMANDS } from './server.ts'

const OPEN: Flag = { help: 'open the page in a browser' }
const DRAFT: Flag = { help: 'keep it a draft: nobody sees it yet' }
const ENTRY: Flag = { value: 'FILE', help: 'the first page of a deck' }
const ALONE: Flag = { help: 'take no files along that the page refers to' }
const PUBLISH: Flag = { help: 'publish the result as well' }
const YES: Flag = { help: 'do not ask' }
const PAST = '30m, 2h, 1d, or ISO 8601'
const UNTIL = 'until when: 12h, 3d, or ISO 8601'

/** The client's commands. PAGE is an id, a slug, a link, or a path that was published. */
export const COMMAND_GROUPS: Record<string, Record<string, Command>> = {
  'Publish, with an API key': {
    publish: {
      args: 'PATH…|PAGE…',
      summary: 'publish a file, a folder, a zip, or - (a pipe); the draft of a PAGE',
      example: "handbill publish report.html --password 'four short words'",
      flags: {
        new: { help: 'make a new page, even of a path that was published before' },
        draft: DRAFT,
        entry: ENTRY,
        alone: ALONE,
        watch: { help: 'again at each save: as a draft, or with --no-draft for visitors' },
        open: OPEN,
        yes: YES,
      },
      hasSettings: true,
      load: async () => (await import('./publish.ts')).publish,
    },
    unpublish: {
      args: 'PAGE',
      summary: 'take a page offline, and keep it',
      example: 'handbill unpublish report.html',
      load: async () => (await import('./pages.ts')).unpublish,
    },
    update: {
      args: 'PAGE [PATH]',
      summary: 'replace the content of a page, or change its settings',
      example: 'handbill update pg_01j… report.html --expires 7d',
      flags: { draft: DRAFT, entry: ENTRY, alone: ALONE, open: OPEN, yes: YES },
      hasSettings: true,
      load: async () => (await import('./publish.ts')).update,
    },
    edit: {
      args: 'PAGE',
      summary: 'find and replace in the draft',
      example: 'handbill edit report.html --find Helo --replace Hello --publish',
      flags: {
        find: { value: 'TEXT', help: 'the text to replace: it must occur exactly once' },
        replace: { value: 'TEXT', help: "the new text; '' deletes the old" },
        all: { help: 'replace every occurrence' },
        file: { value: 'FILE', help: 'the file of a deck to edit' },
        addresses: { value: 'ID,…', help: 'comments that it answers: resolved once it is live' },
        publish: PUBLISH,
      },
      load: async () => (await import('./publish.ts')).edit,
    },
  },
  'Look after your pages': {
    list: {
      args: '',
      summary: 'list your pages',
      example: 'handbill list',
      flags: { trash: { help: 'those in the trash' } },
      load: async () => (await import('./pages.ts')).listPages,
    },
    status: {
      args: '[PAGE]',
      summary: 'what visitors see of a page, or of those published from this folder',
      example: 'handbill status report.html',
      load: async () => (await import('./pages.ts')).showStatus,
    },
    get: {
      args: 'PAGE',
      summary: 'show a page and its settings',
      example: 'handbill get report.html --json',
      load: async () => (await import('./pages.ts')).showPage,
    },
    open: {
      args: 'PAGE',
      summary: 'open a page in a browser',
      example: 'handbill open report.html',
      load: async () => (await import('./pages.ts')).openPage,
    },
    pull: {
      args: 'PAGE [PATH]',
      summary: 'save the content of a page: a file, or the folder of a deck',
      example: 'handbill pull https://pages.example.com/p/k3v9 report.html',
      flags: {
        version: { value: 'N', help: 'an earlier version; the draft otherwise' },
        force: { help: 'overwrite files that are there' },
      },
      load: async () => (await import('./pull.ts')).pull,
    },
    versions: {
      args: 'PAGE',
      summary: 'list the versions of a page',
      example: 'handbill versions report.html',
      load: async () => (await import('./pages.ts')).listVersions,
    },
    restore: {
      args: 'PAGE N',
      summary: 'copy a version into the draft',
      example: 'handbill restore report.html 3 --publish',
      flags: { publish: PUBLISH },
      load: async () => (await import('./pages.ts')).restoreVersion,
    },
    duplicate: {
      args: 'PAGE',
      summary: 'copy a page with its settings, as a draft',
      example: 'handbill duplicate report.html',
      load: async () => (await import('./pages.ts')).duplicatePage,
    },
    rm: {
      args: 'PAGE',
      summary: 'move a page to the trash: for 30 days it can come back with all it has',
      example: 'handbill rm report.html',
      flags: {
        now: { help: 'delete it for good' },
        undo: { help: 'take it back out of the trash' },
        yes: YES,
      },
      load: async () => (await import('./pages.ts')).removePage,
    },
    'account export': {
      args: '[FILE]',
      summary: 'save everything as a zip',
      example: 'handbill account export backup.zip',
      flags: { force: { help: 'overwrite FILE, if it is there' } },
      load: async () => (await import('./account.ts')).exportAccount,
    },
    'account import': {
      args: 'FILE',
      summary: 'import the pages of a zip that account export saved',
      example: 'handbill account import backup.zip',
      load: async () => (await import('./account.ts')).importAccount,
    },
  },
  'Read what viewers sent': {
    responses: {
      args: 'PAGE',
      summary: 'read the responses of viewers',
      example: 'handbill responses survey.html --csv > responses.csv',
      flags: {
        csv: { help: 'all responses, as CSV' },
        since: { value: 'TIME', help: `only responses sent after this time: ${PAST}` },
        explode: { value: 'KEY', help: 'the list to split into rows, or none' },
      },
      load: async () => (await import('./viewers.ts')).listResponses,
    },
    comments: {
      args: 'PAGE',
      summary: 'read what viewers commented',
      example: 'handbill comments plan.html --state open',
      flags: {
        state: { choices: COMMENT_STATES, help: 'only threads of this state' },
        prompt: { help: 'the open ones as a prompt for an agent' },
        since: { value: 'TIME', help: `only threads with something newer: ${PAST}` },
      },
      load: async () => (await import('./conversations.ts')).listComments,
    },
    reply: {
      args: 'PAGE COMMENT TEXT',
      summary: 'answer a comment in your name; TEXT can be - (a pipe)',
      example: "handbill reply plan.html cmt_01j… 'Changed to 16 May.'",
      load: async () => (await import('./conversations.ts')).replyToComment,
    },
    resolve: {
      args: 'PAGE COMMENT…',
      summary: 'mark comments as done',
      example: 'handbill resolve plan.html cmt_01j… cmt_01k…',
      flags: { reopen: { help: 'open them again' } },
      load: async () => (await import('./conversations.ts')).resolveComments,
    },
    poll: {
      args: 'PAGE',
      summary: 'the votes of a page, and who voted where votes are named',
      example: 'handbill poll offsite.html',
      load: async () => (await import('./conversations.ts')).showPoll,
    },
    approvals: {
      args: 'PAGE',
      summary: 'who has approved a page and who has not',
      example: 'handbill approvals plan.pdf --record > plan.approvals.jws',
      flags: { record: { help: 'print the signed record' } },
      load: async () => (await import('./viewers.ts')).showApprovals,
    },
    'approvals request': {
      args: 'PAGE',
      summary: 'mail those whose approval is awaited',
      example: "handbill approvals request plan.pdf --message 'Prices are final.' --due 3d",
      flags: {
        to: { multiple: true, value: 'EMAIL', help: 'ask only this approver; can be repeated' },
        message: { value: 'TEXT', help: 'what the mail says' },
        due: { value: 'TIME', help: UNTIL },
      },
      load: async () => (await import('./viewers.ts')).requestApprovals,
    },
    ask: {
      args: 'PAGE|PATH',
      summary: 'ask people by mail: a poll, an approval, or the form of a page; a PATH makes one',
      example: 'handbill ask plan.html --people ann@example.com --approve --due 3d --wait',
      flags: {
        people: {
          multiple: true,
          value: 'EMAIL',
          help: 'who is asked; commas between, or repeated',
        },
        poll: { value: 'QUESTION', help: 'a vote among the options' },
        option: { multiple: true, value: 'TEXT', help: 'of the poll; repeated' },
        approve: { help: 'to approve the page, or ask for changes' },
        form: { help: 'to fill in the form that the page has' },
        title: { value: 'TITLE', help: 'of the page' },
        message: { value: 'TEXT', help: 'what the mail says besides' },
        due: { value: 'TIME', help: UNTIL },
        wait: { help: 'wait until all have answered or the time is over' },
      },
      load: async () => (await import('./ask.ts')).ask,
    },
    feedback: {
      args: '[PAGE]',
      summary: 'what viewers did since the last time, or as it happens',
      example: 'handbill feedback plan.html --follow --json',
      flags: {
        follow: { help: 'wait for more; Ctrl-C ends it' },
        all: { help: 'from the oldest that is kept' },
        types: { value: 'TYPES', help: `only ${EVENT_TYPES.join(', ')}; with commas` },
        own: { help: 'also what the account itself wrote' },
      },
      load: async () => (await import('./feedback.ts')).followFeedback,
    },
    inbox: {
      args: '[PAGE]',
      summary: 'what waits for you: comments, responses, decisions and access requests',
      example: 'handbill inbox --state unread',
      flags: {
        state: { choices: ITEM_STATES, help: 'what is open, unread among it, or done' },
        kind: { choices: ITEM_KINDS, help: 'only items of this kind' },
      },
      load: async () => (await import('./conversations.ts')).showInbox,
    },
    link: {
      args: 'PAGE',
      summary: 'make a link of a page for one person; its opens are told apart',
      example: 'handbill link plan.html --for "Ann (Acme)" --expires 30d',
      flags: {
        for: { value: 'NAME', help: 'whom it is for' },
        email: { value: 'EMAIL', help: 'the address that it goes to' },
        mail: { help: 'mail it there' },
        message: { value: 'TEXT', help: 'what the mail says besides' },
        expires: { value: 'TIME', help: 'until when it works: 7d, or ISO 8601' },
        'max-views': { value: 'N', help: 'how often it opens the page' },
      },
      load: async () => (await import('./links.ts')).makeLink,
    },
    links: {
      args: 'PAGE',
      summary: 'the links of a page for one person each, and who opened theirs',
      example: 'handbill links plan.html',
      flags: { off: { value: 'ID', help: 'switch one off, at once' } },
      load: async () => (await import('./links.ts')).listLinks,
    },
    analytics: {
      args: '[PAGE]',
      summary: 'the views of a page, or of all pages; in a pipe, those of each day',
      example: 'handbill analytics report.html --from 2026-11-01',
      flags: {
        from: { value: 'DAY', help: 'the first day' },
        to: { value: 'DAY', help: 'the last day' },
        views: { help: 'views alone, which every plan includes' },
      },
      load: async () => (await import('./viewers.ts')).showAnalytics,
    },
    verify: {
      args: 'RECORD [FILE…]',
      summary: 'check a signed record of approvals, and files against it',
      example: 'handbill verify plan.approvals.jws plan.pdf --issuer https://pages.example.com',
      flags: {
        issuer: { value: 'URL', help: 'the server that must have signed it' },
        jwks: { value: 'FILE', help: 'its public keys, to work without a network' },
      },
      load: async () => (await import('./verify.ts')).verify,
    },
  },
  'Connect to a server': {
    login: {
      args: '[URL]',
      summary: 'store an API key for a server',
      example: 'handbill login https://pages.example.com',
      flags: { key: { value: '-', help: 'read the key from standard input' } },
      load: async () => (await import('./connect.ts')).login,
    },
    logout: {
      args: '[URL]',
      summary: 'delete the stored key',
      example: 'handbill logout',
      load: async () => (await import('./connect.ts')).logout,
    },
    whoami: {
      args: '',
      summary: 'show the server, the account, its plan and its limits',
      example: 'handbill whoami',
      load: async () => (await import('./connect.ts')).whoami,
    },
    connect: {
      args: 'claude|codex|cursor|vscode|gemini',
      summary: 'connect a coding agent: its MCP settings and a skill',
      example: 'handbill connect claude',
      flags: { yes: YES },
      load: async () => (await import('./agents.ts')).connect,
    },
    mcp: {
      args: '[FOLDER]',
      summary: 'run an MCP server over stdio, with the files of FOLDER',
      example: 'handbill mcp ~/reports',
      load: async () => (await import('../mcp/index.ts')).serveMcp,
    },
    completion: {
      args: 'bash|zsh|fish',
      summary: 'print the completion of commands and options for a shell',
      example: 'source <(handbill completion bash)',
      load: async () => (await import('../completion.ts')).printCompletion,
    },
  },
}

export const COMMANDS: Record<string, Command> = Object.assign({}, ...Object.values(COMMAND_GROUPS))

/** Those where the server runs as well. */
export const ALL_COMMANDS: Record<string, Declaration> = { ...SERVER_COMMANDS, ...COMMANDS }

export const ALIASES: Record<string, string> = { ls: 'list', delete: 'rm' }

/** The commands whose names go on after these words. */
export function commandsAfter(words: string): Record<string, Declaration> {
  const names = Object.keys(ALL_COMMANDS).filter((name) => name.startsWith(`${words} `))
  return Object.fromEntries(names.map((name) => [name, ALL_COMMANDS[name]!]))
}

/** All commands, by their names and aliases. */
export function namedCommands(): Record<string, Declaration> {
  const aliased = Object.entries(ALIASES).map(([alias, name]) => [alias, COMMANDS[name]!])
  return { ...ALL_COMMANDS, ...Object.fromEntries(aliased) }
}

/** The name of the command that begins with these words. Null for none. */
export function commandName([first = '', second = '']: string[]): string | null {
  const word = Object.hasOwn(ALIASES, first) ? ALIASES[first]! : first
  const names = [`${first} ${second}`, word]
  return names.find((name) => Object.hasOwn(ALL_COMMANDS, name)) ?? null
}
