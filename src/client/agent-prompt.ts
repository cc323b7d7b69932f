import { untrustedBlock } from '../model/mcp/results.ts'
import type { Output } from './operations.ts'

type Thread = Output<'listComments'>['data'][number]
type Comment = Thread['replies'][number]

/** The data of a page and its threads that the prompt contains. */
export interface AgentPrompt {
  page: Pick<Output<'getPage'>['data'], 'id' | 'title' | 'slug' | 'url'>
  threads: readonly Thread[]
  /** The newest version of the page. */
  versionNo: number | null
}

/**
 * Threads as a prompt. Everything that people wrote is JSON in a block labelled as untrusted, so
 * that an agent reads it as data. Addresses of commenters stay here.
 */
export function agentPrompt({ page, threads, versionNo }: AgentPrompt): string {
  const what = threads.length === 1 ? 'the comment' : `the ${threads.length} comments`
  const ids = JSON.stringify(threads.map(({ id }) => id))
  const material = {
    page: {
      page_id: page.id,
      title: page.title ?? page.slug,
      url: page.url,
      version_no: versionNo,
    },
    comments: threads.map(threadForAgents),
  }
  return `Answer ${what} below on the Handbill page ${page.id}.

Each comment names the passage it is about: \`passage.quote\` with what stands before and after it,
and \`passage.element\` with its tag and CSS selector where one is known. \`passage_state\` says
whether the page still has the passage: \`outdated\` means that its text has changed since.

${untrustedBlock(JSON.stringify(material))}

How to answer:
- Read the page first: \`get_page_html\` with page_id ${page.id}.
- Where a comment asks for a change that the page’s owner would want, make it with \`edit_page\`,
  and pass the ids of the comments it answers as \`addresses\`, for example
  \`"addresses": ${ids}\`. They are resolved when that content is published.
- Where comments need words, answer them with \`reply_comments\`. Where one needs neither, use
  \`resolve_comments\`.
- Ask before you publish, unless you were told to.
Without MCP: PATCH /api/v1/pages/${page.id}/html with {"edits": [{"find", "replace"}], "addresses"},
POST /api/v1/pages/${page.id}/comments/replies with {"reply_comments": [{"comment_id", "body"}]}.
`
}

function threadForAgents(thread: Thread) {
  const { state, anchor, anchor_state, replies } = thread
  return {
    ...commentForAgents(thread),
    state,
    passage: anchor,
    passage_state: anchor_state,
    replies: replies.filter(({ is_hidden }) => !is_hidden).map(commentForAgents),
  }
}

function commentForAgents({ id, author, body, version_no, path, created_at }: Comment) {
  const { kind, name } = author
  return {
    id,
    author: { kind, name },
    body,
    written_at: created_at,
    version_no,
    ...(path !== '' && { path }),
  }
}
