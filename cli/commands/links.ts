import { type CommandContext, textOf, wholeNumber } from '../command.ts'
import { oneLine, WrongUsage } from '../output.ts'
import { resolvePageId } from '../page.ts'
import { printStatus } from '../terminal.ts'
import { parseFuture } from '../times.ts'

/** Makes a link for one person. With an address, it is mailed there only if that is asked for. */
export async function makeLink(context: CommandContext): Promise<void> {
  const { for: label, email, expires, mail, message } = context.flags
  const to = textOf(email)
  const whom = textOf(label) || to
  if (!whom) throw new WrongUsage('--for is missing: whom the link is for.')
  if (mail === true && !to) throw new WrongUsage('--mail needs --email: where it goes.')
  if (mail !== true && message !== undefined) throw new WrongUsage('--message is for --mail.')
  const views = textOf(context.flags['max-views'])
  const max_views = views === undefined ? undefined : wholeNumber('--max-views', views)
  const limits = { expires_at: parseFuture('expires', expires), max_views }
  const id = await resolvePageId(context)
  if (mail !== true) {
    const { data } = await context.client().createLink({
      ...{ id, label: whom, email: to ?? null, ...limits },
    })
    return context.print(data, data.url)
  }
  const people = [{ label: whom, email: to }]
  const { data } = await context.client().createLinks({ id, people, message: textOf(message) })
  let [link] = data.links
  // Links for several people are made without limits.
  if (expires !== undefined || limits.max_views !== undefined) {
    link = (await context.client().updateLink({ id, link_id: link!.id, ...limits })).data
  }
  const [refused] = data.not_mailed
  if (refused) printStatus(`Not mailed: ${refused.reason.replaceAll('_', ' ')}.`)
  context.print({ ...data, links: [link] }, link!.url)
}

export async function listLinks(context: CommandContext): Promise<void> {
  const id = await resolvePageId(context)
  const { off } = context.flags
  if (typeof off === 'string') {
    const { data } = await context.client().updateLink({ id, link_id: off, state: 'off' })
    return context.print(data, `${oneLine(data.label)}: off`)
  }
  const { data } = await context.client().listLinks({ id, limit: 1000 })
  const rows = data.map((link) => ({
    id: link.id,
    for: oneLine(link.label),
    state: link.state,
    opens: String(link.opens),
    opened: link.first_opened_at ?? 'not yet',
    url: link.url,
  }))
  context.printRows(data, rows, 'No links yet: handbill link PAGE --for NAME')
}
