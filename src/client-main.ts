import { runProgram } from '../cli/program.ts'

/** `build/client.ts` puts it here: the server that gives this program away. */
declare const OWN_URL: string | undefined

// The program of the client alone: one file that runs in Node.js.
runProgram(process.argv.slice(2), { env: process.env, ownUrl: OWN_URL }).then((code) => {
  process.exitCode = code
})
