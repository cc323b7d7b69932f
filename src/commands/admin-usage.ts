import { oneLine, WrongUsage } from '../../cli/output.ts'
import { PLANS, type Plan } from '../model/plan.ts'
import { ARGUMENTS, type ServerName } from './names.ts'

export interface Flags {
  plan?: string | undefined
  name?: string | undefined
  off?: boolean | undefined
}

/** Checks the arguments of a command before it opens or creates anything. @throws WrongUsage */
export function assertUsage(name: ServerName, args: string[], { plan, off }: Flags): void {
  const names: readonly string[] = ARGUMENTS[name]
  const missing = names[args.length]
  if (missing !== undefined) throw new WrongUsage(`${missing} is missing.`)
  if (args.length > names.length) {
    throw new WrongUsage(`${oneLine(args[names.length])} is one argument too many.`)
  }
  if (off === true && name !== 'account operator' && name !== 'account suspend') {
    throw new WrongUsage('--off belongs to account operator and account suspend.')
  }
  planOf(name === 'account plan' ? args[1] : plan)
}

/** Commands that may make the data folder. The others find nothing to work on without one. */
const MAKE_FOLDER = ['account add', 'migrate']

export function makesFolder(name: string): boolean {
  return MAKE_FOLDER.includes(name)
}

export function noFolder(dataDir: string): string {
  return (
    `There are no data in ${dataDir}. Call it in the folder of the server, or set the same ` +
    'DATA_DIR; a new server begins with handbill serve or handbill account add EMAIL.'
  )
}

/** Warns about a new data folder: the command may have been meant for another folder. */
export function newFolder(dataDir: string): string {
  return (
    `This made a new, empty data folder: ${dataDir}. For the data of a server that runs ` +
    'already, call it in the same folder, or set the same DATA_DIR.'
  )
}

/** @throws WrongUsage */
export function planOf(text: string | undefined): Plan | undefined {
  if (text === undefined || (PLANS as readonly string[]).includes(text)) return text as Plan
  throw new WrongUsage(`There is no plan ${text}: choose ${PLANS.join(', ')}.`)
}
