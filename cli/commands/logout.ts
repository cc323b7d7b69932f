import { argsOf, type Call } from '../command.ts'
import { serverUrl } from '../logins.ts'
import { say } from '../terminal.ts'

export async function run(call: Call): Promise<void> {
  const [given] = argsOf(call, ['URL'], 0)
  const url = given === undefined ? call.server : serverUrl(given)
  const wasThere = call.logins.forget(url)
  call.print({ url, loggedOut: wasThere }, '')
  say(wasThere ? `Forgot the key for ${url}.` : `There was no key for ${url}.`)
}
