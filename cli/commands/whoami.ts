import { inMegabytes } from '../../src/model/plan.ts'
import { type CommandContext, positionalArgs } from '../command.ts'
import { tabSeparated } from '../output.ts'
import { isTerminal } from '../terminal.ts'

export async function run(context: CommandContext): Promise<void> {
  positionalArgs(context, [])
  const { data: account } = await context.client().getAccount()
  const { email, name, plan, is_operator: isOperator, limits, usage } = account
  const members = [
    ['server', context.server],
    ['account', email],
    ...(name === null ? [] : [['name', name]]),
    ['plan', isOperator ? `${plan}, operator` : plan],
    ['pages', `${usage.pages}, ${usage.published_pages} of them published`],
    ['largest page or file', inMegabytes(limits.file_bytes)],
    ['largest deck', inMegabytes(limits.deck_bytes)],
    ['responses', `${limits.responses_per_page.toLocaleString('en')} a page`],
    ['expiry and view limits', limits.link_controls ? 'yes' : 'no'],
  ] as [string, string][]
  const value = { server: context.server, ...account }
  const width = Math.max(...members.map(([label]) => label.length))
  context.print(
    value,
    isTerminal()
      ? members.map(([label, text]) => `${label.padEnd(width)}  ${text}`)
      : tabSeparated(members.map(([label, text]) => ({ label, text }))),
  )
}
