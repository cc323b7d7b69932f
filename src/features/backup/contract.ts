import { contractsOf } from '../../model/operation.ts'

const operatorContract = contractsOf('Operator', 'operator')

export const downloadBackup = operatorContract({
  summary: 'Download a backup of this server.',
  description:
    'The archive of `handbill backup create`, made while it is sent: all accounts, pages and ' +
    'files. Unless `SECRET_KEY` is a setting, the key of the server is in it: keep it as you ' +
    'keep a password. One is made at a time.',
  http: { method: 'GET', path: '/operator/backup', status: 200, file: true },
  needsRecentSignIn: () => true,
  errors: ['backup_running'],
})
