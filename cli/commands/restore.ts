import { argsOf, type Call } from '../command.ts'
import { WrongUsage } from '../output.ts'
import { pageId } from '../page.ts'
import { announce } from '../writing.ts'

export async function run(call: Call): Promise<void> {
  const [name = '', no = ''] = argsOf(call, ['PAGE', 'N'])
  if (!/^[1-9]\d{0,8}$/.test(no)) throw new WrongUsage('N is the number of a version.')
  const { data: page } = await call.client().restoreVersion({
    id: await pageId(call, name),
    version_no: Number(no),
    publish: call.flags.publish === true,
  })
  announce(call, page)
  call.print(page, page.url)
}
