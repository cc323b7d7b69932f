import { ApiError } from '../../src/client/index.ts'
import { createStore } from './store.ts'

/** Goes on, or gives up, what waits for a newer sign-in. */
type Answer = (isSignedIn: boolean) => void

/** What waits for a newer sign-in: a dialog asks for it while there is something. */
export const waitingForSignIn = createStore<readonly Answer[]>([])

/** @returns whether the person has signed in again */
export function signInAgain(): Promise<boolean> {
  return new Promise((resolve) => waitingForSignIn.set([...waitingForSignIn.get(), resolve]))
}

export function answerAll(isSignedIn: boolean): void {
  const waiting = waitingForSignIn.get()
  waitingForSignIn.set([])
  for (const answer of waiting) answer(isSignedIn)
}

type Call = (...input: unknown[]) => Promise<unknown>

/**
 * The methods of a client, of which a call that needs a newer sign-in waits for it and is then sent
 * again. Whoever calls them notices nothing but the time, so nothing that was typed is lost.
 */
export function withSignInAgain<Client extends object>(client: Client): Client {
  const methods = Object.entries(client as Record<string, Call>).map(([name, call]) => [
    name,
    async (...input: unknown[]) => {
      try {
        return await call(...input)
      } catch (err) {
        const isAsked = err instanceof ApiError && err.code === 'sign_in_again'
        if (!isAsked || !(await signInAgain())) throw err
        return call(...input)
      }
    },
  ])
  return Object.fromEntries(methods) as Client
}
