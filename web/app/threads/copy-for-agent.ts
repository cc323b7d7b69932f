import { agentPrompt } from '../../../src/client/agent-prompt.ts'
import { count } from '../../../src/model/numbers.ts'
import { copyText } from '../../copy-text.ts'
import { api } from '../api.ts'
import { showError, showToast } from '../ui/toast.tsx'
import type { Thread, ThreadPage } from './model.ts'

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
