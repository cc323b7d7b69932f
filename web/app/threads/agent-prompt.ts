import { untrustedBlock } from '../../../src/model/mcp/results.ts'
import { count } from '../../../src/model/numbers.ts'
import { copyText } from '../../copy-text.ts'
import { api } from '../api.ts'
import { showError, showToast } from '../ui/toast.tsx'
import type { Comment, Thread, ThreadPage } from './model.ts'

/** The data of a page and its threads that the prompt contains. */
export interface AgentPrompt {
  page: Pick<ThreadPage, 'id' | 'title' | 'slug' | 'url'>
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
- Where a comment needs words, use \`reply_comment\` with its id as parent_id. Where it needs
  neither, use \`resolve_comments\`.
- Ask before you publish, unless you were told to.
Without MCP: PATCH /api/v1/pages/${page.id}/html with {"edits": [{"find", "replace"}], "addresses"},
POST /api/v1/pages/${page.id}/comments with {"parent_id", "body"}.
`
}

function threadForAgents(thread: Thread) {
  const { anchor, anchor_state: state, state: isOpen, replies } = thread
  return {
    ...commentForAgents(thread),
    state: isOpen,
    passage: anchor,
    passage_state: state,
    replies: replies.filter(({ is_hidden: isHidden }) => !isHidden).map(commentForAgents),
  }
}

function commentForAgents({
  id,
  author,
  body,
  version_no: version,
  path,
  created_at: at,
}: Comment) {
  const { kind, name } = author
  return {
    id,
    author: { kind, name },
    body,
    written_at: at,
    version_no: version,
    ...(path !== '' && { path }),
  }
}

/** Copies threads of a page as a prompt for an agent, which answers them with the API or MCP. */
export async function copyForAgent(page: ThreadPage, threads: readonly Thread[]): Promise<void> {
  const versionNo = await newestVersion(page.id)
  try {
    await copyText(agentPrompt({ page, threads, versionNo }))
    showToast(`${count(threads.length, 'comment')} copied: paste it to your agent`)
  } catch {
    showError('The browser did not let this page copy. Allow it to use the clipboard.')
  }
}

async function newestVersion(id: string): Promise<number | null> {
  try {
    return (await api.listVersions({ id })).data[0]?.version_no ?? null
  } catch {
    return null
  }
}
