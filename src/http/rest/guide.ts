import { LIMITS as RATES } from '../../features/throttles/index.ts'
import { DEFAULT_SETTINGS } from '../../model/page/index.ts'
import { BODY_LIMIT_BYTES, inMegabytes, PLANS } from '../../model/plan.ts'
import { planPlaceholder, SERVER_URL } from '../../model/site.ts'

/**
 * The introduction to the API, in Markdown. It is the description of the OpenAPI document, which
 * /docs and /llms-full.txt are rendered from.
 */
export function guide(): string {
  const aboutPages = [DRAFTS, CONTENT, access(), EDITING, FORMS, APPROVALS, POLLS]
  return [INTRO, ...aboutPages, LIMITS, MCP].join('\n\n')
}

const INTRO = `Publish HTML pages, decks, PDFs and images at links you \
control, and read what viewers answer.

Every operation is below \`${SERVER_URL}/api/v1\`. Requests and answers are JSON; a success wraps \
its result as \`{"data": …}\`. Unknown parameters are refused, so that a misspelt one is noticed. \
Times are ISO 8601 in UTC. Where you send one, it may also have another offset, be a date, such as \
\`2027-01-31\` (its end in UTC), or a distance from now: \`30m\`, \`12h\`, \`7d\`, \`2w\`. In \
\`since\` and \`from\`, a distance is back from now and a date means its start.`

const DRAFTS = `## Drafts and publishing

A page has a draft, which you change, and a published version, which visitors see at
\`/p/{slug}\`. Creating a page publishes it at once unless \`publish\` is false. Afterwards, changes
of content stay in the draft until you publish it; changes of settings apply at once. Every content
is kept as a version, and restoring one puts it back into the draft.

The page’s \`id\` never changes; the operations take it, not the slug. Store it beside what you
published, and update that page instead of creating another: its link stays the same.`

const CONTENT = `## Content

A request names its content in exactly one member.

- \`html\`, \`html_base64\`, \`html_url\` or \`html_upload\` make a single page.
- \`files\`, with \`assets\` and \`entry\`, make a deck: several HTML files that link to each other
  by relative paths. Assets are files of any other type. In the sandbox, text that a browser could
  run, such as XML, is sent as \`text/plain\`, and a type that browsers do not know is saved. What
  cannot be kept, such as a path of more than 30 folders, is left out: a warning \`left_out\` names
  each such file.
- \`file_base64\`, \`file_url\` or \`file_upload\`, with \`filename\`, make a page of a PDF or an
  image.
- \`file_upload\` with a \`filename\` that ends in \`.zip\` makes a deck of the zip’s files, or
  replaces those of a deck. A folder around all of them is no part of their paths. Hidden files,
  links, encrypted files and what tools keep (\`__MACOSX\`, \`node_modules\`) are left out, and
  warnings name them.

A page keeps its kind. Content over ${inMegabytes(BODY_LIMIT_BYTES)} goes through an upload first;
base64 makes bytes a third larger. \`sha256\` has the server check that the HTML arrived whole.

An answer to a write of a page has \`warnings\` beside \`data\`: what in its content will surely
not work for visitors, each with \`code\`, \`message\`, \`path\` and \`line\`. They refuse nothing,
and a list without any is empty.`

const EDITING = `## Editing

To change a few words, send \`edits\`: each \`find\` must be in the draft exactly once, or set
\`replace_all\`. All edits are made, or none. Read the HTML first and copy what you look for; long
\`data:\` URIs are left out of what you read, and edits leave them as they are.

To change one file of a deck, send all its files, those that stay with \`keep\` in place of their
content: \`{"path": "logo.png", "keep": "logo.png"}\` has the bytes that the draft has there.

A page’s \`ETag\`, sent back as \`If-Match\` with a write, makes sure that nobody wrote in between.
\`Idempotency-Key\` on a new page or comment makes it safe to send again after a lost answer.`

const FORMS = `## Forms and responses

A published page collects answers where it has a form with \`data-service\`, or calls
\`window.Service.submit(data)\` in a script. Nothing else is needed: no address, no key.

\`\`\`html
<form data-service data-success="Thank you.">
  <label>Name <input name="name" required></label>
  <label>Guests <input name="guests" type="number"></label>
  <button>Send</button>
</form>
\`\`\`

\`submit\` takes an object and resolves with \`{id, submitted_at, submit_count}\`; it rejects with
an \`Error\` whose \`code\` says why: one of
[those of forms](${SERVER_URL}/docs/errors#errors-forms), \`offline\` where nothing came back, or
\`failed\`. Each viewer has one response a page: sending again replaces it. You read, summarise and
delete responses through the API; \`since\` with the newest \`submitted_at\` you have answers only
what is new. More: [Forms and responses](${SERVER_URL}/docs/forms).`

const APPROVALS = `## Approvals

With \`collect_approvals\`, the people in \`approver_emails\` approve the page or request changes.
A decision counts once it is confirmed on a page of the service, and belongs to the content that was
shown: after other content is published, the approver is awaited again. A request mails approvers;
the record is signed, and \`handbill verify\` checks it without an account.`

const POLLS = `## Polls

\`collect_votes\` with \`poll_question\` and 2 to 12 \`poll_options\` adds a poll to a page: a
button at its edge opens it. Each browser has one vote, or with \`poll_require_email\` each
confirmed address; voting again replaces the vote. \`GET /pages/{id}/poll\` answers the results.

- \`poll_results\` says who else sees them: \`public\`, those who voted (\`vote\`), nobody
  (\`owner\`), or everyone once voting has ended (\`closed\`).
- With \`poll_named\` you see who voted for what by address, and others who see the results by the
  name that the voter gives. Voters see this first. A vote cast while it is off stays secret.
- An option keeps its votes when it is moved, or reworded in its place. One that is removed keeps
  them uncounted, until its text returns.
- \`poll_closes_at\` ends voting. Without it, or with a later time, voting goes on.`

const access = () => `## Access and settings

\`access\` says who may open the page.

- \`link\`: anyone with the link.
- \`password\`: anyone with the password. One is made where you send none; it is in the answer.
- \`people\`: the addresses in \`allowed_emails\`, each confirmed by a mail.
- \`email_gate\`: anyone who confirms an email address, of \`allowed_domains\` if you name some.
- \`private\`: you alone, signed in.
  Link-preview agents get no preview of it.

\`open_to\` of a page says in words who can open it now. A setting that has no effect as the page
is set, such as \`allowed_emails\` where access is \`link\`, is kept, and the answer warns of it:
\`no_effect\`, with the setting as \`param\` and what would give it effect. \`nobody_can_open\`
warns of \`people\` without an address, and where \`business_only\` refuses each of
\`allowed_domains\` as a domain of personal mail. A create with a \`password\` and another access
than \`password\` is refused (\`contradictory_settings\`): what is meant to be closed is never
published open.

What a create leaves out is ${defaults()}; everything else is off or empty. \`expires_at\` and \
\`max_views\` close the link by themselves, and null opens it again.`

/** The default settings that are neither off nor empty. */
function defaults(): string {
  return Object.entries(DEFAULT_SETTINGS)
    .filter(([, value]) => typeof value === 'string')
    .map(([name, value]) => `\`${name}\` \`${value}\``)
    .join(', ')
}

const LIMITS = `## Limits

${PLANS.map((plan) => `- ${planPlaceholder(plan)}.`).join('\n')}

A request body has up to ${inMegabytes(BODY_LIMIT_BYTES)}; a larger one is answered \`413\` in \
plain text: send what is large with \`POST /uploads\` before, one upload for each file. Four times \
as many uploads as a deck has files may wait for a page.

The keys of an account make up to ${RATES.api.count} requests in ${RATES.api.windowS} seconds \
together, or as many as a deck of its plan has files; \`RateLimit\` says what is left, and \
\`429\` says how long to wait.`

const MCP = `## MCP

The same operations are tools of a Model Context Protocol server, over Streamable HTTP at \
\`${SERVER_URL}/mcp\` with the same key. Each operation names its tool. A tool takes the page \
as \`page_id\`: its id, slug or public URL. Everything else is called as it is here, and a refusal \
is an error result that says what to do.

\`\`\`json
{
  "mcpServers": {
    "handbill": {
      "type": "http",
      "url": "${SERVER_URL}/mcp",
      "headers": { "Authorization": "Bearer sm_…" }
    }
  }
}
\`\`\`

Models shorten long arguments: give \`html_url\`, or an upload’s id, for anything large.
More: [Agents](${SERVER_URL}/docs/mcp), with the set-up of common clients.`
