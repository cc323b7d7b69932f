import { z } from 'zod'

/** The extension SEP-2663 of the revision 2026-07-28, for the clients that declare it. */
export const TASKS = 'io.modelcontextprotocol/tasks'

/** The tools that wait for people, and how long where the call does not say. */
const WAITING = new Map([
  ['ask', 1],
  ['get_answers', 0],
  ['wait_for_feedback', 1],
])

/** Whether a call takes a task: one with `wait_s` 0 wants its result at once. */
export function waitsForPeople(tool: string, args: Record<string, unknown>): boolean {
  return (args.wait_s ?? WAITING.get(tool) ?? 0) !== 0 && WAITING.has(tool)
}

/** What the SDK tells of a request: the members of 2026, among them what the client knows. */
export interface ClientRequest {
  mcpReq: {
    envelope?: {
      [VERSION]?: string
      [CAPABILITIES]?: { extensions?: object | undefined }
    }
  }
}
const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

/** Whether the client said that it knows tasks, which clients of 2026 say with every request. */
export function takesTasks({ mcpReq }: ClientRequest): boolean {
  return TASKS in (mcpReq.envelope?.[CAPABILITIES]?.extensions ?? {})
}

/** No task asks the client for anything, so an update has nothing to change. */
export const TASK_METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel'] as const
export const TASK_PARAMS = z.object({ taskId: z.string() })
