import { refuse } from '../../model/errors.ts'

const MIB = 1024 * 1024

/** Who sent a body: anybody, or the holder of an API key. */
export type Sender = 'stranger' | 'key'

/** The bytes that all bodies of one kind of sender may take at the same time. */
export interface Budget {
  totalBytes: number
  /** The part of the total that requests from one client address may take. */
  perAddressBytes: number
}

type Budgets = Readonly<Record<Sender, Budget>>

/** The budgets of all bodies, by resource. */
export interface BodyLimits {
  /** Memory for a small body, and for the piece of a large one that is not in its file yet. */
  arriving: Budgets
  /** Space on the disk for the rest of large bodies. */
  files: Budgets
  /** Memory for large bodies that have arrived, until they are answered. */
  whole: Budgets
  /** Memory that the runtime needs for bodies that are read as streams: `STREAM_BYTES` for each. */
  streams: Budgets
}

/** The bytes of a stream that arrive before it is read. */
export const STREAM_BYTES = 1.5 * MIB

/** Enough for hundreds of small bodies, and for eight of 4 MB from each address. */
const LIMITS: BodyLimits = {
  arriving: {
    stranger: { totalBytes: 64 * MIB, perAddressBytes: 16 * MIB },
    key: { totalBytes: 64 * MIB, perAddressBytes: 32 * MIB },
  },
  files: {
    stranger: { totalBytes: 256 * MIB, perAddressBytes: 64 * MIB },
    key: { totalBytes: 512 * MIB, perAddressBytes: 256 * MIB },
  },
  whole: {
    stranger: { totalBytes: 32 * MIB, perAddressBytes: 16 * MIB },
    key: { totalBytes: 64 * MIB, perAddressBytes: 32 * MIB },
  },
  streams: {
    stranger: { totalBytes: 0, perAddressBytes: 0 },
    key: { totalBytes: 96 * MIB, perAddressBytes: 72 * MIB },
  },
}
const RETRY_AFTER_S = 2
/** The limits for streams, which are long. */
const STREAM_RETRY_AFTER_S = 10
/** How long a large body that has arrived may wait for memory. */
const MAX_WAIT_MS = 30_000

/** Limits the use of one resource by bodies: by all together, and by those from one address. */
export interface ByteBudget {
  /**
   * Reserves further bytes for the request's body.
   *
   * @throws Refusal `server_busy`, and then reserves nothing
   */
  reserve(request: Request, sender: Sender, bytes: number): void
  /**
   * Waits until the bytes are free; the first call that fits is next. @throws as `reserve`, in time
   */
  reserveInTurn(request: Request, sender: Sender, bytes: number): Promise<void>
  /** Frees all that the request reserved. */
  release(request: Request): void
  /** What is reserved now, for all senders. */
  reservedBytes(): number
}

export interface BodyBudgets {
  arriving: ByteBudget
  files: ByteBudget
  whole: ByteBudget
  streams: ByteBudget
  /** Frees all that the request reserved. Called after every answer, also after an error. */
  release(request: Request): void
}

type AddressOf = (request: Request) => string

/** @param limits for tests */
export function createBodyBudgets(addressOf: AddressOf, limits = LIMITS): BodyBudgets {
  const arriving = createByteBudget(addressOf, limits.arriving)
  const files = createByteBudget(addressOf, limits.files)
  const whole = createByteBudget(addressOf, limits.whole)
  const streams = createByteBudget(addressOf, limits.streams, {
    retryAfterS: STREAM_RETRY_AFTER_S,
  })
  return {
    arriving,
    files,
    whole,
    streams,
    release(request) {
      for (const each of [arriving, files, whole, streams]) each.release(request)
    },
  }
}

interface Reservation {
  sender: Sender
  address: string
  bytes: number
}

interface Waiting {
  request: Request
  sender: Sender
  bytes: number
  admit(): void
}

export function createByteBudget(
  addressOf: AddressOf,
  budgets: Budgets,
  { maxWaitMs = MAX_WAIT_MS, retryAfterS = RETRY_AFTER_S } = {},
): ByteBudget {
  const busy = () => refusalOf(retryAfterS)
  const reservations = new Map<Request, Reservation>()
  const total: Record<Sender, number> = { stranger: 0, key: 0 }
  const byAddress: Record<Sender, Map<string, number>> = { stranger: new Map(), key: new Map() }
  const queue = new Set<Waiting>()

  function add({ sender, address }: Reservation, bytes: number): void {
    total[sender] += bytes
    const ofAddress = (byAddress[sender].get(address) ?? 0) + bytes
    if (ofAddress === 0) byAddress[sender].delete(address)
    else byAddress[sender].set(address, ofAddress)
  }

  /** @returns whether there was space */
  function tryReserve(request: Request, sender: Sender, bytes: number): boolean {
    const known = reservations.get(request)
    const reservation = known ?? { sender, address: addressOf(request), bytes: 0 }
    const { totalBytes, perAddressBytes } = budgets[sender]
    const ofAddress = byAddress[sender].get(reservation.address) ?? 0
    if (total[sender] + bytes > totalBytes || ofAddress + bytes > perAddressBytes) return false
    if (known === undefined) reservations.set(request, reservation)
    reservation.bytes += bytes
    add(reservation, bytes)
    return true
  }

  function admitWaiting(): void {
    for (const each of queue) {
      if (!tryReserve(each.request, each.sender, each.bytes)) continue
      queue.delete(each)
      each.admit()
    }
  }

  return {
    reserve(request, sender, bytes) {
      if (!tryReserve(request, sender, bytes)) throw busy()
    },
    async reserveInTurn(request, sender, bytes) {
      if (queue.size === 0 && tryReserve(request, sender, bytes)) return
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const waiting = { request, sender, bytes, admit: resolve }
      queue.add(waiting)
      const timer = setTimeout(() => queue.delete(waiting) && reject(busy()), maxWaitMs)
      admitWaiting()
      await promise.finally(() => clearTimeout(timer))
    },
    release(request) {
      const reservation = reservations.get(request)
      if (reservation === undefined) return
      reservations.delete(request)
      add(reservation, -reservation.bytes)
      if (queue.size > 0) admitWaiting()
    },
    reservedBytes: () => total.stranger + total.key,
  }
}

function refusalOf(retryAfterS: number) {
  return refuse.unavailable(
    'server_busy',
    'The server is receiving too much at once. Wait a few seconds, then send it again.',
    { retry_after_s: retryAfterS },
  )
}
