export const PRIVATE = 'url: must not point to a private or reserved address'
export const NO_URL = 'url: must be a URL with a host'
export const START = 'url: must start with https:// and a host'
export const USER = 'url: must not contain a user name or password'
export const BLANK = 'url: must not contain blanks or control characters'
export const LENGTH = 'url: must be 1 to 2048 characters'

/** Spellings of hosts, by the rule that refuses them. */
export const refusedHosts: [rule: string, hosts: string[]][] = [
  // Loopback and "this host".
  [PRIVATE, ['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1']],
  [
    PRIVATE,
    ['0x7F.0.0.0x1', '017700000001', '127.0.0.1.', '%31%32%37.0.0.1', '127。0。0。1', '１２７.０.０.１', '①②⑦.0.0.1'],
  ],
  [PRIVATE, ['0', '0.0.0.0', '0.1.2.3', '0x0', '00']],
  [
    PRIVATE,
    [
      'localhost',
      'LOCALHOST',
      'localhost.',
      'localhost..',
      'a.localhost',
      'a.b.LocalHost.',
      'ⓛocalhost',
      'local%68ost',
    ],
  ],
  // Private, link local and shared networks.
  [PRIVATE, ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.1', '3232235777']],
  [PRIVATE, ['169.254.169.254', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376', '169.254.43518']],
  [PRIVATE, ['100.64.0.1', '100.127.255.255']],
  // Reserved for protocols, benchmarks and documentation; multicast and broadcast.
  [PRIVATE, ['192.0.0.1', '192.0.0.170', '192.0.2.1', '198.51.100.1', '203.0.113.9', '198.18.0.1', '198.19.255.255']],
  [PRIVATE, ['192.88.99.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '254.1.1.1', '255.255.255.255', '4294967295']],
  // IPv6 of its own.
  [
    PRIVATE,
    ['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[fc00::1]', '[fd12:3456::1]', '[fe80::1]', '[febf::1]'],
  ],
  [
    PRIVATE,
    ['[fec0::1]', '[ff02::1]', '[ff0e::1]', '[100::1]', '[2001:db8::1]', '[3fff::1]', '[2001:2::1]', '[5f00::1]'],
  ],
  [PRIVATE, ['[4000::1]', '[2001:10::1]', '[2001:20::1]']],
  // IPv6 that stands for IPv4: mapped, compatible, translated, NAT64, 6to4, Teredo.
  [
    PRIVATE,
    ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::FFFF:10.0.0.1]', '[::ffff:8.8.8.8]', '[::127.0.0.1]', '[::7f00:1]'],
  ],
  [PRIVATE, ['[::8.8.8.8]', '[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::8.8.8.8]', '[64:ff9b:1::1]']],
  [PRIVATE, ['[64:ff9b:1:ffff::a00:1]', '[2002:7f00:1::]', '[2002:a00:1::1]', '[2001:0:4136:e378::1]']],
  // Not hosts at all.
  [
    NO_URL,
    ['[fe80::1%25eth0]', '[fe80::1%eth0]', '[127.0.0.1]', '[::1', '::1', '1.2.3.4.5', '256.1.1.1', '0x1ffffffff'],
  ],
  [
    NO_URL,
    ['a%00b.example', '%2531.example', 'a|b.example', 'exa<mple', 'example.com:65536', 'example.com:x', '.', '..'],
  ],
  ['url: must have a port from 1 to 65535', ['example.com:0', '8.8.8.8:00']],
  [USER, ['user@example.com', 'user:secret@example.com', '@example.com', ':@example.com', 'example.com@127.0.0.1']],
  [BLANK, ['exam ple.com', 'exam\tple.com', 'exam\nple.com', '127.0.0.1\r\n', 'example.com/a b', 'example.com/\u0085']],
]
