import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  type Server,
} from '@modelcontextprotocol/server'
import type { Throttles } from '../../features/throttles/index.ts'
import { createTasks, TASK_METHODS, TASK_PARAMS, TASKS, takesTasks } from '../../model/mcp/tasks.ts'
import type { Operation } from '../../model/operation.ts'
import { parsePageName } from '../../model/page-name.ts'
import type { Clock } from '../../platform/clock.ts'
import { sha256 } from '../../platform/ids.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { expiringToken } from '../../platform/signed-token.ts'
import {
  type Call,
  type CallToolDeps,
  internalError,
  localName,
  refusalOf,
  runOperation,
} from './call-tool.ts'

interface TasksDeps extends CallToolDeps {
  operations: Operation[]
  secrets: Secrets
  throttles: Pick<Throttles, 'mark' | 'isMarked'>
  clock: Pick<Clock, 'ms'>
}

type TaskCaller = Pick<Call, 'account' | 'key' | 'renew' | 'requestId'>

/** The tasks of each caller. An id that another account was given is as unknown as any other. */
export function tasksOfCallers({ operations, secrets, throttles, clock, ...deps }: TasksDeps) {
  const tokens = expiringToken(secrets, 'mcp-wait', { hasPayload: true })
  const operationBy = new Map(operations.map((operation) => [operation.contract.name, operation]))

  return ({ requestId, ...caller }: TaskCaller) => {
    const subject = [caller.account.id]
    const callOf = (name: string, input: Record<string, unknown>): Call => ({
      ...{ operation: operationBy.get(name)!, arguments: input, ...caller, requestId },
    })
    const tasks = createTasks({
      ids: {
        make: (payload, expiresS) => tokens.make(subject, expiresS, payload),
        read: (id) => tokens.read(subject, id, clock.ms()),
        cancel: (id, expiresS) => throttles.mark(cancelled(id), expiresS * 1000),
        isCancelled: (id) => throttles.isMarked(cancelled(id)),
      },
      nowMs: clock.ms,
      call: (name, input) => runOperation(deps, callOf(name, input)),
      async pageIdOf(name) {
        const idOrSlug = localName(parsePageName(name), deps.baseUrl)
        return (await deps.findPage(caller.account, idOrSlug)).id
      },
    })

    async function handle(method: (typeof TASK_METHODS)[number], taskId: string) {
      try {
        return await tasks.handle(method, taskId)
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
      start: tasks.start,
      /** Makes the methods of tasks part of a server of the revision of 2026. */
      serve(server: Server): void {
        server.registerCapabilities({ extensions: { [TASKS]: {} } })
        for (const method of TASK_METHODS) {
          server.setRequestHandler(method, { params: TASK_PARAMS }, ({ taskId }, request) => {
            if (!takesTasks(request)) throw missingCapability()
            return handle(method, taskId)
          })
        }
      },
    }
  }
}

function cancelled(taskId: string): string {
  return `task-cancelled ${sha256(taskId)}`
}

function missingCapability() {
  const requiredCapabilities = { extensions: { [TASKS]: {} } }
  return new MissingRequiredClientCapabilityError({ requiredCapabilities })
}
