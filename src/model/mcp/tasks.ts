import { z } from 'zod'
import type { ToolResult } from './results.ts'

/**
 * Tasks: results that come when people have answered, however long that takes. They are the
 * extension SEP-2663 of the revision 2026-07-28, for the clients that declare it. Nothing but that
 * one was cancelled is stored: the id says what to read, and whoever owns what it names reads it.
 */
export const TASKS = 'io.modelcontextprotocol/tasks'

const DAY_MS = 24 * 60 * 60 * 1000
const POLL_INTERVAL_MS = 5000
/** As long as feedback is kept. */
const TTL_MS = 90 * DAY_MS
/** After which a wait for feedback ends without any. */
const LONGEST_WAIT_MS = 7 * DAY_MS

/** A call of a tool, and what its result was made from. */
export interface Called {
  answer: unknown
  result: ToolResult
}

/** Makes the ids of waits for feedback, and reads those that this account was given. */
export interface TaskIds {
  make(payload: string, expiresS: number): string
  read(id: string): { payload: string; expiresS: number } | null
  /** Remembers it until it expires. */
  cancel(id: string, expiresS: number): Promise<unknown>
  isCancelled(id: string): Promise<boolean>
}

interface TaskDeps {
  ids: TaskIds
  nowMs(): number
  /** Calls an operation. @throws what it is refused with */
  call(
    operation: 'getAsk' | 'cancelAsk' | 'getFeedback',
    input: Record<string, unknown>,
  ): Promise<Called>
  /** @param name an id, a slug or a URL, of which only the id stays as long as the page */
  pageIdOf(name: string): Promise<string>
}

/** What marks a task among the results of tools; the SDK lets none pass without content. */
const CREATED = { resultType: 'task', content: [] }

/** What tasks use of the answers of the tools. */
interface AskAnswer {
  data: {
    id: string
    created_at: string
    due_at: string | null
    answered: { at: string }[]
    waiting: string[]
    outcome: 'all_answered' | 'deadline' | 'cancelled' | null
    links?: unknown[]
  }
}
interface FeedbackAnswer {
  data: { items: { at: string }[]; cursor: string; more: boolean }
}

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

export function createTasks({ ids, nowMs, call, pageIdOf }: TaskDeps) {
  async function readAsk(id: string) {
    const { answer, result } = await call('getAsk', { ask_id: id })
    return taskOfAsk((answer as AskAnswer).data, result)
  }

  async function readWait(taskId: string, expiresS: number, payload: string) {
    const { nonce: _, ...args } = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const { answer, result } = await call('getFeedback', args)
    const { data } = answer as FeedbackAnswer
    const createdMs = expiresS * 1000 - TTL_MS
    const isOver = nowMs() >= createdMs + LONGEST_WAIT_MS
    const createdAt = isoOf(createdMs)
    const times = { createdAt, lastUpdatedAt: data.items.at(-1)?.at }
    if (await ids.isCancelled(taskId)) return task(taskId, 'cancelled', { createdAt })
    if (!hasSomething(data) && !isOver) return task(taskId, 'working', times)
    return completed(taskId, times, result)
  }

  function read(id: string) {
    const wait = ids.read(id)
    return wait === null ? readAsk(id) : readWait(id, wait.expiresS, wait.payload)
  }

  return {
    /** The result of a call that did not wait: a task where there is nothing to answer yet. */
    async start(
      tool: string,
      { page_id: page, ...args }: Record<string, unknown>,
      called: Called,
    ): Promise<ToolResult> {
      const { answer, result } = called
      if (tool !== 'wait_for_feedback') {
        const { data } = answer as AskAnswer
        // Where nobody was mailed, the links have to be passed on before anybody can answer.
        const isHeld = data.outcome === null && (data.links ?? []).length === 0
        return isHeld ? { ...CREATED, ...taskOfAsk(data, result) } : result
      }
      const { data } = answer as FeedbackAnswer
      if (hasSomething(data)) return result
      const page_id = page === undefined ? undefined : await pageIdOf(page as string)
      // So that none is what an equal call was given, which may have been cancelled since.
      const nonce = crypto.randomUUID()
      const payload = JSON.stringify({ ...args, page_id, cursor: data.cursor, nonce })
      const expiresS = Math.floor((nowMs() + TTL_MS) / 1000)
      const id = ids.make(Buffer.from(payload).toString('base64url'), expiresS)
      const createdAt = isoOf(expiresS * 1000 - TTL_MS)
      return { ...CREATED, ...task(id, 'working', { createdAt }) }
    },
    async handle(
      method: (typeof TASK_METHODS)[number],
      taskId: string,
    ): Promise<Record<string, unknown>> {
      const state = await read(taskId)
      if (method === 'tasks/get') return state
      // What is over stays as it is.
      if (method === 'tasks/cancel' && state.status === 'working') {
        const wait = ids.read(taskId)
        if (wait === null) await call('cancelAsk', { ask_id: taskId })
        else await ids.cancel(taskId, wait.expiresS)
      }
      return {}
    },
  }
}

function taskOfAsk(ask: AskAnswer['data'], result: ToolResult) {
  const { id, created_at: createdAt, due_at, answered, waiting, outcome } = ask
  const lastAt = outcome === 'deadline' ? due_at! : answered.at(-1)?.at
  const times = { createdAt, lastUpdatedAt: lastAt }
  if (outcome === 'cancelled') return task(id, 'cancelled', times)
  if (outcome !== null) return completed(id, times, result)
  const people = waiting.length + answered.length
  const statusMessage = `${answered.length} of ${people} have answered.`
  return { ...task(id, 'working', times), statusMessage }
}

function hasSomething({ items, more }: FeedbackAnswer['data']): boolean {
  return items.length > 0 || more
}

interface Times {
  createdAt: string
  lastUpdatedAt?: string | undefined
}

function task(
  taskId: string,
  status: 'working' | 'completed' | 'cancelled',
  { createdAt, lastUpdatedAt = createdAt }: Times,
) {
  const limits = { ttlMs: TTL_MS, pollIntervalMs: POLL_INTERVAL_MS }
  return { taskId, status, createdAt, lastUpdatedAt, ...limits }
}

/** With the result of the call as it would have been: inside a task, nothing adds its type. */
function completed(taskId: string, times: Times, result: ToolResult) {
  return {
    ...task(taskId, 'completed', times),
    result: { resultType: 'complete', ...result },
  }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
