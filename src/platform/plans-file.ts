import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { DEFAULT_PLANS, PLANS, type Plans } from '../model/plan.ts'
import { planLimits } from '../model/plan-limits.ts'

/** Text that stands in a line of its own, such as a name or `9 € a month`. */
const words = z
  .string()
  .trim()
  .regex(/^[^\p{C}]{1,40}$/u, { error: 'It must have 1 to 40 characters, in one line' })

const plan = z
  .strictObject({
    name: words,
    price: words.nullable(),
    limits: z.strictObject(planLimits.shape).partial(),
  })
  .partial()

/** What the file may change of each plan. */
export const plansFile = z.strictObject(Object.fromEntries(PLANS.map((id) => [id, plan]))).partial()

/**
 * Reads the plans of a server. What the file leaves out stays as it is by default.
 *
 * @param path null: no file
 * @param wrong gets a line for each error in the file
 */
export function readPlans(path: string | null, wrong: string[]): Plans {
  if (path === null) return DEFAULT_PLANS
  const name = `PLANS_FILE (${path})`
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException
    wrong.push(code === undefined ? `${name} must be JSON.` : `${name} cannot be read (${code}).`)
    return DEFAULT_PLANS
  }
  const parsed = plansFile.safeParse(json)
  if (!parsed.success) {
    for (const { path: at, message } of parsed.error.issues) {
      const place = at.length === 0 ? 'It' : at.join('.')
      wrong.push(`${name}: ${place} is wrong. ${message}.`)
    }
    return DEFAULT_PLANS
  }
  const plans = merged(parsed.data)
  for (const id of PLANS) {
    const { limits } = plans[id]
    const largest = Math.max(limits.file_bytes, limits.deck_bytes)
    for (const member of ['stored_bytes', 'upload_bytes'] as const) {
      if (limits[member] >= largest) continue
      wrong.push(
        `${name}: ${id}.limits.${member} must be at least ${largest}, the largest content.`,
      )
    }
  }
  return plans
}

function merged(changes: z.output<typeof plansFile>): Plans {
  const plans = PLANS.map((id) => {
    const usual = DEFAULT_PLANS[id]
    const { limits, ...others } = changes[id] ?? {}
    return [id, { ...usual, ...others, limits: { ...usual.limits, ...limits } }]
  })
  return Object.fromEntries(plans) as Plans
}
