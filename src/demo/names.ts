import type { Random } from './random.ts'

/** First and last names that go together. Any likeness to a real person is an accident. */
const NAMES = [
  [
    'Amelia Oliver Grace Harry Imogen Callum Freya Rhys Niamh Ewan',
    'Whitcombe Ashdown Pryce Calloway Hartnell Marlowe Tregenna Lockhart Fenwick Ainsley',
  ],
  [
    'Astrid Lars Ingrid Mikkel Sanna Elias Maja Anders Tuva Joonas',
    'Lindqvist Haugen Sørensen Bergström Nyholm Virtanen Dahl Ekberg Solheim Aaltonen',
  ],
  [
    'Camille Théo Léa Hugo Inès Baptiste Margaux Étienne Solène Rémi',
    'Delacour Fontanel Marchetti Beaulieu Rochebrune Vasseur Lemoine Garnier Aubry Chastain',
  ],
  [
    'Lucía Mateo Valentina Diego Ximena Joaquín Renata Álvaro Paloma Iñaki',
    'Echeverría Montalvo Quintana Salvatierra Ibarra Peralta Zamora Olmedo Carrasco Villanueva',
  ],
  [
    'Lena Jonas Greta Moritz Annika Felix Paula Matthias Clara Tobias',
    'Brandstetter Hoffmeier Kessler Lindner Ostermann Rautenberg Seidel Thalmann Voss Wiesner',
  ],
  [
    'Adaeze Kwame Zola Tendai Amara Chidi Nomsa Kofi Wanjiru Sipho',
    'Okonkwo Mensah Dlamini Moyo Adeyemi Boateng Nkosi Kamau Achebe Mwangi',
  ],
  [
    'Aanya Rohan Priya Arjun Meera Kabir Ananya Vikram Leela Imran',
    'Raghunathan Chatterjee Deshpande Malhotra Iyer Banerjee Qureshi Sandhu Krishnan Fernando',
  ],
  [
    'Yuki Haruto Mei Jun Hana Wei Sora Min-jun Linh Arif',
    'Takahara Fujimori Zhang Lim Nakagawa Park Nguyen Watanabe Chen Rahman',
  ],
  [
    'Leila Omar Yasmin Karim Noor Tariq Salma Idris Dalia Samir',
    'Haddad Mansour Benali Farouk Khoury Rahmani Saleh Zaman Aziz Nasser',
  ],
  [
    'Ola Tomasz Katya Milan Zuzana Andrei Ivana Pavel Ioana Nikola',
    'Kowalczyk Novotná Dragomir Horváth Petrović Zielińska Ivanova Marković Popescu Sokolova',
  ],
].map(([first = '', last = '']) => ({ first: first.split(' '), last: last.split(' ') }))

/** As many different names as wanted; at most a few hundred. */
export function differentNames(random: Random, count: number): { first: string; last: string }[] {
  const names = NAMES.flatMap(({ first, last }) => first.flatMap((f) => last.map((l) => ({ first: f, last: l }))))
  return random.shuffle(names).slice(0, count)
}

/** The name as the part of an email address before the @. */
export function mailName({ first, last }: { first: string; last: string }): string {
  return `${first}.${last}`
    .toLowerCase()
    .replaceAll('ø', 'o')
    .normalize('NFD')
    .replace(/[^a-z.-]/g, '')
}

/** Numbers that are set aside for stories: no one answers them. */
export function storyPhone(random: Random): string {
  const digits = (count: number) => String(random.integer(0, 10 ** count - 1)).padStart(count, '0')
  return random.pick([
    `+44 20 7946 0${digits(3)}`,
    `+1 202 555 01${digits(2)}`,
    `+33 1 99 00 ${digits(2)} ${digits(2)}`,
    `+49 30 23125 ${digits(3)}`,
    `+61 2 5550 ${digits(4)}`,
  ])
}
