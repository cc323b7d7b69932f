import { refuse } from '../../model/errors.ts'
import { createWaitingLine } from '../../platform/task-queue.ts'

const MIB = 1024 * 1024

/** Who sent a body: anybody, or the holder of an API key. */
export type Sender = 'stranger' | 'key'

/** The bytes that all bodies of one kind of sender may take at the same time. */
export interface Budget {
  totalBytes: number
  /** The part of the total that requests from one client address may take. */
  perAddressBytes: number
}

export interface ResourceLimits extends Readonly<Record<Sender, Budget>> {
  /** How long those who are refused should wait. */
  retryAfterS?: number
}

/** The bytes of a stream that arrive before it is read. */
export const STREAM_BYTES = 1.5 * MIB

/** Enough for hundreds of small bodies, and for eight of 4 MB from each address. */
const LIMITS = {
  /** Memory for a small body, and for the piece of a large one that is not in its file yet. */
  arriving: {
    stranger: { totalBytes: 64 * MIB, perAddressBytes: 16 * MIB },
    key: { totalBytes: 64 * MIB, perAddressBytes: 32 * MIB },
  },
  /** Space on the disk for the rest of large bodies. */
  files: {
    stranger: { totalBytes: 256 * MIB, perAddressBytes: 64 * MIB },
    key: { totalBytes: 512 * MIB, perAddressBytes: 256 * MIB },
  },
  /** Memory for large bodies that have arrived, until they are answered. */
  whole: {
    stranger: { totalBytes: 32 * MIB, perAddressBytes: 16 * MIB },
    key: { totalBytes: 64 * MIB, perAddressBytes: 32 * MIB },
  },
  /** Memory that the runtime needs for bodies that are read as streams: `STREAM_BYTES` for each. */
  streams: {
    stranger: { totalBytes: 0, perAddressBytes: 0 },
    key: { totalBytes: 96 * MIB, perAddressBytes: 72 * MIB },
    retryAfterS: 10,
  },
} satisfies Record<string, ResourceLimits>

export type BodyLimits = Readonly<Record<keyof typeof LIMITS, ResourceLimits>>

/** How long a large body that has arrived may wait for memory. */
const MAX_WAIT_MS = 30_000

type AddressOf = (request: Request) => string

/** @param limits for tests */
export function createBodyBudgets(addressOf: AddressOf, limits: BodyLimits = LIMITS) {
  const budgets = {
    arriving: createByteBudget(addressOf, limits.arriving),
    files: createByteBudget(addressOf, limits.files),
    whole: createByteBudget(addressOf, limits.whole),
    streams: createByteBudget(addressOf, limits.streams),
  }
  const all = Object.values(budgets)
  return {
    ...budgets,
    /** Frees all that the request reserved. Called after every answer, also after an error. */
    release(request: Request): void {
      for (const each of all) each.release(request)
    },
  }
}
export type BodyBudgets = ReturnType<typeof createBodyBudgets>

interface Reservation {
  sender: Sender
  address: string
  bytes: number
}

/** Limits the use of one resource by bodies: by all together, and by those from one address. */
export function createByteBudget(
  addressOf: AddressOf,
  limits: ResourceLimits,
  maxWaitMs = MAX_WAIT_MS,
) {
  const reservations = new Map<Request, Reservation>()
  const total: Record<Sender, number> = { stranger: 0, key: 0 }
  const byAddress = { stranger: new Map<string, number>(), key: new Map<string, number>() }
  const line = createWaitingLine({ maxWaitMs, isInOrder: false, refusal: busy })

  function busy() {
    return refuse.unavailable(
      'server_busy',
      'The server is receiving too much at once. Wait a few seconds, then send it again.',
      { retry_after_s: limits.retryAfterS ?? 2 },
    )
  }

  function add({ sender, address }: Reservation, bytes: number): void {
    total[sender] += bytes
    const ofAddress = (byAddress[sender].get(address) ?? 0) + bytes
    if (ofAddress === 0) byAddress[sender].delete(address)
    else byAddress[sender].set(address, ofAddress)
  }

  /** @returns whether there was space */
  function tryReserve(request: Request, sender: Sender, bytes: number): boolean {
    const earlier = reservations.get(request)
    const reservation = earlier ?? { sender, address: addressOf(request), bytes: 0 }
    const { totalBytes, perAddressBytes } = limits[sender]
    const ofAddress = byAddress[sender].get(reservation.address) ?? 0
    if (total[sender] + bytes > totalBytes || ofAddress + bytes > perAddressBytes) return false
    reservations.set(request, reservation)
    reservation.bytes += bytes
    add(reservation, bytes)
    return true
  }

  return {
    /**
     * Reserves further bytes for the request's body.
     *
     * @throws Refusal `server_busy`, and then reserves nothing
     */
    reserve(request: Request, sender: Sender, bytes: number): void {
      if (!tryReserve(request, sender, bytes)) throw busy()
    },
    /** Waits until the bytes are free; the first call that fits is next. @throws as `reserve` */
    reserveInTurn: (request: Request, sender: Sender, bytes: number): Promise<void> =>
      line.wait(() => tryReserve(request, sender, bytes)),
    /** Frees all that the request reserved. */
    release(request: Request): void {
      const reservation = reservations.get(request)
      if (reservation === undefined) return
      reservations.delete(request)
      add(reservation, -reservation.bytes)
      if (line.calls.size > 0) line.proceed()
    },
    /** What is reserved now, for all senders. */
    reservedBytes: (): number => total.stranger + total.key,
  }
}
