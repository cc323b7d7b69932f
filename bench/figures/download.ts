import type { Figure } from '../figure.ts'
import { LOAD_CORE, runOn } from '../processes.ts'
import { pdfOf } from '../sample-content.ts'
import { newOwner, startHandbill, startNginx } from '../servers.ts'
import { inMBs, ratioOf, shown, spreadOf, times } from '../stats.ts'
import { wrk } from '../wrk.ts'

const MB = 1024 * 1024
const SIZE_BYTES = 50 * MB

/** (g) Downloads of a large file by one client and by eight. */
export const download: Figure = {
  letter: 'g',
  about: 'a 50 MB file, beside nginx',
  async measure(bench) {
    const bytes = pdfOf(SIZE_BYTES)
    await using handbill = await startHandbill(bench.folder('download'))
    await using nginx = await startNginx({ 'large.pdf': bytes })
    const owner = await newOwner(handbill)
    const fileUpload = await owner.upload(bytes)
    const { slug } = await owner.create({ file_upload: fileUpload, filename: 'large.pdf' })
    const url = `${handbill.url}/p/${slug}`
    const peerUrl = `${nginx.url}/large.pdf`

    async function eight(address: string): Promise<number> {
      const run = await wrk({ url: address, connections: 8, seconds: bench.seconds })
      if (run.refused > 0) throw new Error(`${address} refused ${run.refused} requests`)
      return (run.perSecond * SIZE_BYTES) / MB
    }
    const rows = []
    for (const [name, rate] of [
      ['one reader (curl)', curl],
      ['8 readers (wrk)', eight],
    ] as const) {
      bench.log(`50 MB, ${name}`)
      const ours: number[] = []
      const peer: number[] = []
      for (let round = 0; round <= bench.rounds; round++) {
        ours.push(await rate(url))
        peer.push(await rate(peerUrl))
      }
      const ratio = ratioOf(ours.slice(1), peer.slice(1))
      rows.push({
        figure: rows.length === 0 ? `(g) 50 MB file, ${name}` : `    50 MB file, ${name}`,
        ours: shown(spreadOf(ours.slice(1)), inMBs),
        peer: shown(spreadOf(peer.slice(1)), inMBs),
        value: shown(ratio, times),
        goal: 'none',
        met: null,
      })
    }
    return rows
  },
}

/** The speed of one download in MB/s. */
async function curl(url: string): Promise<number> {
  const format = '%{http_code} %{size_download} %{speed_download}'
  const command = ['curl', '-s', '-o', '/dev/null', '-w', format, url]
  const [status, size, speed] = (await runOn(LOAD_CORE, command)).split(' ').map(Number)
  if (status === 200 && size === SIZE_BYTES) return speed! / MB
  throw new Error(`${url} answered ${status} with ${size} bytes`)
}
