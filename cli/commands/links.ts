import { type CommandContext, textOf } from '../command.ts'
import { oneLine } from '../output.ts'
import { resolvePageId } from '../page.ts'
import { printStatus } from '../terminal.ts'
import { parseFuture } from '../times.ts'

/** Makes a link for one person. With an address, it is mailed there only if that is asked for. */
export async function makeLink(context: CommandContext): Promise<void> {
  const { for: label, email, expires, 'max-views': maxViews, mail, message } = context.flags
  const id = await resolvePageId(context)
  const to = textOf(email)
  const whom = textOf(label) ?? to
  if (mail === true && to !== undefined) {
    const people = [{ label: whom, email: to }]
    const { data } = await context.client().createLinks({ id, people, message: textOf(message) })
    const [refused] = data.not_mailed
    if (refused) printStatus(`Not mailed: ${refused.reason.replaceAll('_', ' ')}.`)
    return context.print(data, data.links[0]!.url)
  }
  const { data } = await context.client().createLink({
    ...{ id, label: whom ?? '', email: to ?? null },
    expires_at: parseFuture('expires', expires),
    max_views: maxViews === undefined ? undefined : Number(maxViews),
  })
  context.print(data, data.url)
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
