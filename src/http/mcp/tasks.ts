import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  type Server,
} from '@modelcontextprotocol/server'
import type { AskResult } from '../../features/asks/contract.ts'
import type { Feedback } from '../../features/feedback/contract.ts'
import { LIMITS, type Throttles } from '../../features/throttles/index.ts'
import type { ToolResult } from '../../model/mcp/results.ts'
import { TASK_METHODS, TASK_PARAMS, TASKS, takesTasks } from '../../model/mcp/tasks.ts'
import type { Operation } from '../../model/operation.ts'
import { parsePageName } from '../../model/page-name.ts'
import type { Clock } from '../../platform/clock.ts'
import { sha256 } from '../../platform/ids.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { expiringToken, secondsOf } from '../../platform/signed-token.ts'
import {
  type Call,
  type CallOutcome,
  type CallToolDeps,
  internalError,
  localName,
  refusalOf,
  runOperation,
} from './call-tool.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const POLL_INTERVAL_MS = 5000
/** As long as feedback is kept. */
const TTL_MS = 90 * DAY_MS
/** After which a wait for feedback ends without any. */
const LONGEST_WAIT_MS = 7 * DAY_MS

export interface TasksDeps extends CallToolDeps {
  operations: Operation[]
  secrets: Secrets
  throttles: Pick<Throttles, 'assert' | 'mark' | 'isMarked'>
  clock: Pick<Clock, 'ms'>
}

/** What marks a task among the results of tools; the SDK lets none pass without content. */
const CREATED = { resultType: 'task', content: [] }

/**
 * The tasks of each caller: results that come when people have answered, however long that takes.
 * The id is that of an ask, or a token that says from where feedback is waited for. Of the latter,
 * nothing but that one was cancelled is stored. An id that another account was given is as unknown
 * as any other.
 */
export function tasksOfCallers({ operations, secrets, throttles, clock, ...deps }: TasksDeps) {
  const tokens = expiringToken(secrets, 'mcp-wait', { hasPayload: true })
  const operationBy = new Map(operations.map((operation) => [operation.contract.name, operation]))

  return (caller: Omit<Call, 'operation' | 'tool' | 'arguments'>) => {
    const { account, requestId } = caller
    const readToken = (id: string) => tokens.read([account.id], id, clock.ms())

    function call(name: string, input: Record<string, unknown>): Promise<CallOutcome> {
      return runOperation(deps, { operation: operationBy.get(name)!, arguments: input, ...caller })
    }

    async function read(taskId: string) {
      const wait = readToken(taskId)
      if (wait === null) return taskOfAsk(await call('getAsk', { ask_id: taskId }))
      const { nonce: _, ...args } = JSON.parse(Buffer.from(wait.payload, 'base64url').toString())
      const { answer, result } = await call('getFeedback', args)
      const feedback = feedbackIn(answer)
      const createdMs = wait.expiresS * 1000 - TTL_MS
      const createdAt = isoOf(createdMs)
      const isCancelled = await throttles.isMarked(cancellationOf(taskId))
      if (isCancelled) return task(taskId, 'cancelled', { createdAt })
      const times = { createdAt, lastUpdatedAt: feedback.items.at(-1)?.at }
      const isOver = hasSomething(feedback) || clock.ms() >= createdMs + LONGEST_WAIT_MS
      return isOver ? completed(taskId, times, result) : task(taskId, 'working', times)
    }

    async function cancel(taskId: string): Promise<void> {
      const wait = readToken(taskId)
      if (wait === null) {
        await call('cancelAsk', { ask_id: taskId })
      } else {
        await throttles.assert(LIMITS.task_cancellation, account.id)
        await throttles.mark(cancellationOf(taskId), wait.expiresS * 1000)
      }
    }

    async function handle(method: string, taskId: string): Promise<Record<string, unknown>> {
      try {
        const state = await read(taskId)
        if (method === 'tasks/get') return state
        // What is over stays as it is.
        if (method === 'tasks/cancel' && state.status === 'working') await cancel(taskId)
        return {}
      } catch (err) {
        const refusal = refusalOf(err, deps.log, { name: method, requestId })
        if (refusal === null) {
          const { message, ...data } = internalError(requestId)
          throw new ProtocolError(INTERNAL_ERROR, message, data)
        }
        const { kind, code, message } = refusal
        const isUnknown = kind === 'notFound' || kind === 'invalid'
        if (isUnknown) throw new ProtocolError(INVALID_PARAMS, 'There is no such task.')
        throw new ProtocolError(INTERNAL_ERROR, message, { code })
      }
    }

    return {
      /** The result of a call that did not wait: a task where there is nothing to answer yet. */
      async start(
        tool: string,
        { page_id: page, ...args }: Record<string, unknown>,
        outcome: CallOutcome,
      ): Promise<ToolResult> {
        const { answer, result } = outcome
        if (tool !== 'wait_for_feedback') {
          const { outcome: end, links = [] } = askIn(answer)
          // Where nobody was mailed, the links have to be passed on before anybody can answer.
          const isHeld = end === null && links.length === 0
          return isHeld ? { ...CREATED, ...taskOfAsk(outcome) } : result
        }
        const feedback = feedbackIn(answer)
        if (hasSomething(feedback)) return result
        const page_id = page === undefined ? undefined : await pageIdOf(page as string)
        // So that none is what an equal call was given, which may have been cancelled since.
        const nonce = crypto.randomUUID()
        const payload = JSON.stringify({ ...args, page_id, cursor: feedback.cursor, nonce })
        const expiresS = secondsOf(clock.ms() + TTL_MS)
        const id = tokens.make([account.id], expiresS, Buffer.from(payload).toString('base64url'))
        return {
          ...CREATED,
          ...task(id, 'working', { createdAt: isoOf(expiresS * 1000 - TTL_MS) }),
        }
      },
      /** Makes the methods of tasks part of a server of the revision of 2026. */
      serve(server: Server): void {
        server.registerCapabilities({ extensions: { [TASKS]: {} } })
        for (const method of TASK_METHODS) {
          server.setRequestHandler(method, { params: TASK_PARAMS }, ({ taskId }, request) => {
            if (takesTasks(request)) return handle(method, taskId)
            const requiredCapabilities = { extensions: { [TASKS]: {} } }
            throw new MissingRequiredClientCapabilityError({ requiredCapabilities })
          })
        }
      },
    }

    /** Of a page by any name: only its id stays as long as the page. */
    async function pageIdOf(name: string): Promise<string> {
      const idOrSlug = localName(parsePageName(name), deps.baseUrl)
      return (await deps.findPage(account, idOrSlug)).id
    }
  }
}

/** As the operations of asks answer it. */
function askIn(answer: unknown) {
  return (answer as { data: AskResult & { links?: unknown[] } }).data
}

function feedbackIn(answer: unknown) {
  return (answer as { data: Feedback }).data
}

function taskOfAsk({ answer, result }: CallOutcome) {
  const { id, created_at: createdAt, due_at, answered, waiting, outcome } = askIn(answer)
  const lastAt = outcome === 'deadline' ? due_at! : answered.at(-1)?.at
  const times = { createdAt, lastUpdatedAt: lastAt }
  if (outcome === 'cancelled') return task(id, 'cancelled', times)
  if (outcome !== null) return completed(id, times, result)
  const people = waiting.length + answered.length
  const statusMessage = `${answered.length} of ${people} have answered.`
  return { ...task(id, 'working', times), statusMessage }
}

function hasSomething({ items, more }: Feedback): boolean {
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

function cancellationOf(taskId: string): string {
  return `task-cancelled ${sha256(taskId)}`
}
