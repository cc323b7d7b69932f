import { z } from 'zod'

type Pick = (value: unknown) => unknown

/**
 * Makes a function that copies only the members that a schema names, at every depth. It is for
 * values of our own in frequent answers: it takes a fifth of the time of `parse`, because it does
 * not validate texts and numbers.
 *
 * @returns a function that throws where an object stands in place of a plain value, or the reverse
 */
export function pickerOf<Schema extends z.ZodType>(
  schema: Schema,
): (value: z.input<Schema>) => z.output<Schema> {
  return pickOf(schema) as (value: z.input<Schema>) => z.output<Schema>
}

function pickOf(schema: z.core.$ZodType): Pick {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const pick = pickOf(schema.unwrap())
    return (value) => (value === null || value === undefined ? value : pick(value))
  }
  if (schema instanceof z.ZodArray) {
    const pick = pickOf(schema.element)
    return (value) => {
      if (!Array.isArray(value)) throw unlike('a list', value)
      return value.map(pick)
    }
  }
  if (schema instanceof z.ZodObject) return pickMembers(schema)
  if (isPlain(schema)) return pickPlain
  throw new Error(`No picker is made of a schema of type ${schema._zod.def.type}.`)
}

function pickMembers({ shape }: z.ZodObject): Pick {
  const members = Object.entries(shape).map(([name, member]) => [name, pickOf(member)] as const)
  return (value) => {
    if (typeof value !== 'object' || value === null) throw unlike('an object', value)
    const given = value as Record<string, unknown>
    const picked: Record<string, unknown> = {}
    for (const [name, pick] of members) {
      const member = given[name]
      const own = pick(member)
      if (own !== undefined) picked[name] = own
    }
    return picked
  }
}

function isPlain(schema: z.core.$ZodType): boolean {
  const { $ZodString, $ZodNumber, $ZodBoolean, $ZodEnum, $ZodLiteral } = z.core
  return [$ZodString, $ZodNumber, $ZodBoolean, $ZodEnum, $ZodLiteral].some(
    (type) => schema instanceof type,
  )
}

function pickPlain(value: unknown): unknown {
  const isPlainValue = ['string', 'number', 'boolean'].includes(typeof value)
  if (isPlainValue) return value
  throw unlike('a plain value', value)
}

function unlike(wanted: string, value: unknown) {
  return new Error(`There is ${value === null ? 'null' : typeof value} in place of ${wanted}.`)
}
