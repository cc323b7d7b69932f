import type { checkPageJson } from './page-json.ts'

/** What takes more than a turn of the event loop where the file is large. Few threads load it. */
export const TRANSFER_TASKS = {
  async checkPageJson(input: Parameters<typeof checkPageJson>[0]) {
    const task = await import('./page-json.ts')
    return task.checkPageJson(input)
  },
}
