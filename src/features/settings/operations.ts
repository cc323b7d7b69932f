import { implement, type Operation } from '../../model/operation.ts'
import { changeSettings, getSettings, testMail } from './contract.ts'
import type { Settings } from './settings.ts'

/** @param tryMail sends one mail, and says what the server answered */
export function settingOperations(
  settings: Settings,
  tryMail: (
    server: { smtpUrl: string; mailFrom: string },
    to: string,
  ) => Promise<{ is_taken: boolean; answer: string }>,
): Operation[] {
  return [
    implement(getSettings, async () => ({ data: settings.describe() })),
    implement(changeSettings, async (_subject, changes) => {
      await settings.change(changes)
      return { data: settings.describe() }
    }),
    implement(testMail, async (_subject, { to, ...given }) => {
      const server = settings.mailServer(given)
      const tried = await tryMail(server, to)
      return { data: { server: new URL(server.smtpUrl).host, ...tried } }
    }),
  ]
}
