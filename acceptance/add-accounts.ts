import { ADMIN } from '../src/commands/admin.ts'
import { besideServer, openRuntime } from '../src/commands/runtime.ts'
import { readConfig } from '../src/platform/config.ts'

export type Plan = 'free' | 'pro' | 'team'

export interface NewAccount {
  readonly email: string
  readonly plan: Plan
}

const UMASK = process.umask()

/**
 * Does what the commands `account add` and `key create` do beside a server, in this process: one of
 * their own takes a second of the processor each, and most tests begin with an account.
 *
 * @returns a key of each account
 */
export async function addAccounts(
  env: Record<string, string>,
  accounts: readonly NewAccount[],
): Promise<string[]> {
  const config = readConfig(env)
  const opening = openRuntime(config, besideServer(config))
  // Opening begins with making new files private. Servers that tests start must do so by themselves.
  process.umask(UMASK)
  const runtime = await opening
  const results: unknown[] = []
  const result = (value: unknown) => void results.push(value)
  const output = { result, say: () => {}, note: () => {} }
  try {
    for (const { email, plan } of accounts) {
      await ADMIN['account add'](runtime, [email], { plan }, output)
      await ADMIN['key create'](runtime, [email], {}, output)
    }
  } finally {
    await runtime.close()
  }
  return results.flatMap((result) => (result as { key?: string }).key ?? [])
}
