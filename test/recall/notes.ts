/**
 * What people ask an assistant to remember. Many notes are near neighbours of others.
 * Never change a note or a question because of what a search finds: both were written before any search was tried.
 */
export interface Note {
  readonly id: string;
  readonly text: string;
}

export const notes: readonly Note[] = [
  // Backups
  {
    id: 'backups-nightly',
    text: 'The nightly job starts at 02:30 on atlas. It dumps every database first, then restic pushes the dumps to the Hetzner storage box.',
  },
  {
    id: 'backups-retention',
    text: 'restic keeps 7 daily, 4 weekly and 12 monthly snapshots. Pruning runs on Sundays, because it locks the repository for about an hour.',
  },
  {
    id: 'backups-password',
    text: 'The passphrase of the restic repository is in Vaultwarden under "Storage box". Ines has a printed copy in the safe at her place.',
  },
  {
    id: 'backups-restore-drill',
    text: 'We rehearse a restore on the first Monday of each quarter. The last rehearsal took 3 h 40 min, and most of that was downloading.',
  },
  {
    id: 'backups-n8n-export',
    text: 'All n8n workflows are exported to the git repository flows-archive every night. Credentials are left out on purpose.',
  },
  {
    id: 'backups-photos',
    text: 'Family pictures go from the NAS to Backblaze B2 with rclone each Saturday. Video is excluded: it would triple the bill.',
  },
  {
    id: 'backups-silence-alert',
    text: "When no backup has arrived for 26 hours, Healthchecks pings the #ops channel and Marek's phone.",
  },
  {
    id: 'backups-thumbnails-skipped',
    text: 'The MinIO bucket `thumbs` is not backed up, deliberately. Everything in it can be rendered again from the originals in about two hours.',
  },
  {
    id: 'backups-macbook',
    text: "Ines's MacBook uses Time Machine to the share `timecapsule` on the NAS, with a quota of 800 GB.",
  },
  {
    id: 'backups-offsite-disk',
    text: "Once a month Tomasz swaps the encrypted USB disk and takes the full one to his parents' house in Gdynia.",
  },

  // Postgres
  { id: 'pg-version', text: 'Production runs PostgreSQL 16.4 on atlas; staging is already on 17.' },
  {
    id: 'pg-port',
    text: 'Our main Postgres listens on port 5433, not 5432, because an old Odoo install still occupies the default one.',
  },
  {
    id: 'pg-pgbouncer',
    text: 'Applications connect through PgBouncer in transaction mode on 6432. Prepared statements therefore have to be switched off in the drivers.',
  },
  {
    id: 'pg-autovacuum-events',
    text: 'Table `events` grew to 90 GB of bloat. We set autovacuum_vacuum_scale_factor to 0.02 for it and it has stayed flat since.',
  },
  {
    id: 'pg-replica-lag',
    text: 'The read replica on boreas usually trails by under a second, but during the Sunday reports it can fall ten minutes behind. Dashboards must not read from it then.',
  },
  {
    id: 'pg-superuser',
    text: 'Nobody logs in as `postgres` any more. Marek and Priya have personal roles with createdb, and everything else goes through the `app_rw` role.',
  },
  {
    id: 'pg-upgrade-plan',
    text: 'The move of production to PostgreSQL 17 is planned for the weekend of 24 January, with pg_upgrade in link mode. Hannah wants a full dump immediately before.',
  },
  {
    id: 'pg-timescale-dropped',
    text: 'We dropped TimescaleDB in spring. Partitioning by month does what we need, and the extension blocked two minor updates.',
  },
  {
    id: 'pg-work-mem',
    text: 'work_mem is 64MB only for the role `reporting`; all others stay at 8MB. Setting it globally took the machine down once.',
  },
  {
    id: 'pg-ssl-required',
    text: 'Connections from outside the Docker network need sslmode=verify-full with the CA file in /etc/ssl/tidewerk/ca.pem.',
  },
  {
    id: 'mysql-wordpress',
    text: 'The only MySQL left is MariaDB 10.11 for the WordPress of the sailing club. It lives in its own container and nobody else should use it.',
  },
  {
    id: 'redis-eviction',
    text: 'Redis has maxmemory 512mb with allkeys-lru. Queue data must not be put there; it would be thrown away silently.',
  },
  {
    id: 'sqlite-litestream',
    text: 'The small tools that use SQLite are replicated with Litestream to the `lite` bucket, about one second behind.',
  },

  // Proxies and certificates
  {
    id: 'proxy-caddy',
    text: 'Caddy on edge1 is the reverse proxy for everything public. We moved away from nginx because nobody remembered to renew by hand.',
  },
  {
    id: 'proxy-timeout-export',
    text: 'The CSV export takes up to four minutes, so Caddy has a read timeout of 300s for /export only.',
  },
  {
    id: 'proxy-traefik-home',
    text: 'At home Traefik sits in front of Jellyfin, Paperless and Home Assistant; routes come from container labels.',
  },
  {
    id: 'proxy-body-limit',
    text: 'Uploads larger than 50 MB are refused by the proxy with 413. The limit is in the snippet `(uploads)` of the Caddyfile.',
  },
  {
    id: 'cert-wildcard',
    text: 'The wildcard certificate for *.lab.example.org is issued through DNS-01 with a Cloudflare token. The token expires on 3 March.',
  },
  {
    id: 'cert-internal-ca',
    text: 'Internal services use our step-ca. Its root is valid until 2034 and must be installed by hand on new phones.',
  },
  {
    id: 'cert-mail-server',
    text: 'The mail server does not reload its certificate by itself. After a renewal somebody has to run `docker exec mail supervisorctl restart postfix dovecot`.',
  },
  {
    id: 'cert-partner-pinning',
    text: 'Nordwind pins our public key. Tell their integration desk two weeks before we rotate it, or their orders stop.',
  },
  {
    id: 'dns-provider',
    text: 'All domains are registered at Gandi, but the DNS zones are served by Cloudflare with proxying off.',
  },
  {
    id: 'dns-internal',
    text: 'Internal names end in .lan and are answered by AdGuard on 10.20.0.2, with the Pi at 10.20.0.3 as the second.',
  },

  // n8n
  { id: 'n8n-url', text: 'n8n runs at https://flows.lab.example.org, version 1.97, in queue mode with two workers.' },
  {
    id: 'n8n-encryption-key',
    text: 'N8N_ENCRYPTION_KEY is in the SOPS file secrets/n8n.enc.yaml. Losing it means typing in every credential again.',
  },
  {
    id: 'n8n-invoice-flow',
    text: 'The workflow "Invoices in" reads the mailbox billing@, has the PDF read by Mindee and files it in Paperless. It is active on weekdays only.',
  },
  {
    id: 'n8n-lead-flow',
    text: 'Form entries from the website go to the workflow "New lead": it checks for duplicates in Pipedrive and then writes to the #sales channel.',
  },
  {
    id: 'n8n-error-workflow',
    text: 'Every production workflow has "Notify on failure" as its error workflow. It posts the execution link to #ops-noise.',
  },
  {
    id: 'n8n-prune',
    text: 'Executions are deleted after 14 days, or once there are 20,000 of them, because the database had grown to 40 GB.',
  },
  {
    id: 'n8n-webhook-test',
    text: 'Webhooks behind /webhook-test only work while the editor is open and listening. Hannah lost half a day to that.',
  },
  {
    id: 'n8n-timezone',
    text: "n8n's time zone is Europe/Warsaw. Schedules written before May were meant as UTC and fire one or two hours early.",
  },
  {
    id: 'n8n-sheet-quota',
    text: 'The stock sync writes to Google Sheets in batches of 200 rows. Row by row we hit the quota of 60 requests a minute.',
  },
  {
    id: 'n8n-community-nodes',
    text: 'Community nodes are switched off after the audit. Whoever needs one asks Priya, who reviews the source first.',
  },
  {
    id: 'n8n-payroll-owner',
    text: 'The payroll workflow belongs to Hannah alone. Nobody else may edit it, not even to fix a typo.',
  },
  {
    id: 'n8n-retry-shop',
    text: 'The HTTP node that calls the shop API retries 3 times with 5 s between. The shop answers 502 for a minute each time it deploys.',
  },
  {
    id: 'n8n-newsletter',
    text: 'The newsletter is sent by a workflow every second Thursday at 9:00 through Brevo; the list has about 3,100 addresses.',
  },

  // Docker hosts and hardware
  {
    id: 'host-atlas',
    text: 'atlas is the big server: 16 cores, 128 GB of RAM, two NVMe drives mirrored with ZFS. It is rented from Hetzner in Falkenstein.',
  },
  {
    id: 'host-boreas',
    text: 'boreas is the second server, in Helsinki, 8 cores and 64 GB. It holds the read replica and the monitoring.',
  },
  {
    id: 'host-pi',
    text: 'The Raspberry Pi in the hallway cabinet runs AdGuard, Zigbee2MQTT and nothing else, because its SD card died twice under heavier load.',
  },
  {
    id: 'docker-data-root',
    text: "Docker's data-root on atlas was moved to /tank/docker when the root partition filled up.",
  },
  {
    id: 'docker-log-limit',
    text: 'Container logs are capped at 3 files of 10 MB in daemon.json. Before that a chatty container filled the disk overnight.',
  },
  {
    id: 'docker-watchtower-off',
    text: 'Watchtower is gone. Images are pinned by digest and Renovate opens a merge request for each update.',
  },
  {
    id: 'docker-registry',
    text: 'Our own images are in the Forgejo registry at git.lab.example.org; pulling requires the robot account `puller`.',
  },
  {
    id: 'docker-network-overlap',
    text: "Docker's default 172.17.0.0/16 collides with the office VPN. That is why every compose file sets a subnet under 10.50.",
  },
  {
    id: 'docker-gpu',
    text: "The only GPU is an old RTX 3060 in the workstation under Tomasz's desk. Whisper and the image tagging run there, at night only.",
  },
  {
    id: 'nas-model',
    text: 'The NAS is a Synology DS923+ with four 8 TB drives in SHR. One drive bay makes a clicking noise since October, but SMART is clean.',
  },
  {
    id: 'ups-runtime',
    text: 'The UPS carries the rack for eleven minutes. After six, NUT shuts the NAS down, and at nine the switch.',
  },
  {
    id: 'vpn-wireguard',
    text: 'Remote access is WireGuard on UDP 51820 to edge1. Every device gets its own key; shared keys are revoked without asking.',
  },
  {
    id: 'vlan-iot',
    text: 'Cameras and light bulbs are in VLAN 40 and cannot reach the internet, except for the vacuum robot, which refuses to work otherwise.',
  },
  { id: 'wifi-guest', text: 'Guests use the network "Puffin". The code is on the fridge and changes every January.' },
  {
    id: 'monitoring-grafana',
    text: 'Grafana is at https://watch.lab.example.org. Alerts go through Alertmanager; silences longer than a day need a reason.',
  },
  {
    id: 'monitoring-disk-threshold',
    text: 'The disk alarm fires at 80 % on atlas but at 92 % on the NAS, where it would otherwise ring all the time.',
  },
  {
    id: 'ssh-bastion',
    text: 'SSH is only possible through edge1, with a hardware key. Password logins are off everywhere.',
  },
  {
    id: 'mail-relay',
    text: 'Outgoing mail of all servers goes via Postmark. Sending directly from Hetzner addresses lands in spam.',
  },
  {
    id: 'home-assistant-heating',
    text: 'Home Assistant lowers the heating to 17 degrees when both phones have been away for half an hour.',
  },

  // Decisions
  {
    id: 'decision-no-kubernetes',
    text: 'We decided against Kubernetes: two servers and six people do not justify it. Compose plus Ansible stays until we have more than five hosts.',
  },
  {
    id: 'decision-forgejo',
    text: "We left GitHub for our own Forgejo in March, mainly because customers' contracts ask for code to stay in the EU.",
  },
  {
    id: 'decision-typescript',
    text: 'New services are written in TypeScript, not Go. The reason is that all of us can review it, and Go was only known to Marek.',
  },
  {
    id: 'decision-monorepo',
    text: 'Everything went into one repository in 2023. Changes across three repositories had taken days to line up.',
  },
  {
    id: 'decision-english-docs',
    text: 'Documentation is in English even for Polish customers; translations were always out of date within a month.',
  },
  {
    id: 'decision-feature-flags',
    text: 'No third-party feature flag service. A table `flags` and a fifty-line module do it, and there is no bill.',
  },
  {
    id: 'decision-no-friday-deploys',
    text: 'Nothing is deployed after noon on Fridays. We agreed on it after the weekend that Priya spent on the train with a laptop.',
  },
  {
    id: 'decision-pricing',
    text: 'Prices go up by 8 percent on 1 April for new customers; existing ones keep theirs until their contract renews.',
  },
  {
    id: 'decision-support-hours',
    text: 'Support answers between 8 and 18 on working days. An on-call phone at night was turned down: it would need two more people.',
  },
  {
    id: 'decision-oss-license',
    text: 'The connector library will be published under Apache-2.0. MIT was considered, but legal wanted the patent clause.',
  },
  {
    id: 'decision-ai-policy',
    text: 'Customer data must not be pasted into hosted models. The local one on the workstation is allowed for everything.',
  },
  {
    id: 'decision-graphql-dropped',
    text: 'We gave up GraphQL for the public API. Three of four customers had asked for plain REST and caching was a pain.',
  },
  {
    id: 'decision-office-lease',
    text: 'The lease for the office in Wrzeszcz was not renewed. From June we rent desks by the day and meet in person on Wednesdays.',
  },
  {
    id: 'decision-logo-colour',
    text: "The new logo stays dark green. The orange variant tested better with strangers but looked like a competitor's.",
  },

  // People
  {
    id: 'marek-role',
    text: 'Marek Zielinski runs infrastructure. He is the person to ask before anything on atlas gets restarted.',
  },
  {
    id: 'marek-hours',
    text: 'Marek starts at six in the morning and is gone by two. Do not book meetings with him in the afternoon.',
  },
  {
    id: 'marek-tea',
    text: 'Marek drinks only green tea, no coffee. He got a kettle with a thermometer for his birthday.',
  },
  {
    id: 'marek-allergy',
    text: 'Marek is allergic to nuts, seriously so: he carries an EpiPen in the front pocket of his backpack.',
  },
  {
    id: 'marek-review-style',
    text: 'Marek prefers small pull requests and reviews them the same day. Anything over 400 lines sits for a week.',
  },
  { id: 'ines-role', text: 'Ines Carvalho leads the product and decides what goes into a release.' },
  {
    id: 'ines-languages',
    text: 'Ines grew up in Porto and speaks Portuguese, French and English. She is learning Polish and likes it when people correct her.',
  },
  {
    id: 'ines-vegetarian',
    text: 'Ines has been vegetarian since university but eats fish when she visits her mother.',
  },
  { id: 'ines-feedback', text: 'Ines wants bad news by phone, immediately, and never first in a meeting.' },
  {
    id: 'ines-maternity',
    text: 'Ines is on leave from 1 September to the end of February. Hannah takes over the roadmap, Priya the release notes.',
  },
  { id: 'priya-role', text: 'Priya Raman writes most of the backend and does our security reviews.' },
  {
    id: 'priya-location',
    text: 'Priya works from Lisbon, one hour behind the others, and comes to Gdansk every second month.',
  },
  {
    id: 'priya-running',
    text: 'Priya is training for the Valencia marathon in December and blocks her lunch hours for it.',
  },
  {
    id: 'priya-keyboard',
    text: 'Priya uses a split keyboard with the Colemak layout, so nobody can type at her desk.',
  },
  { id: 'tomasz-role', text: 'Tomasz Nowak is our frontend developer. He joined in February, from a game studio.' },
  {
    id: 'tomasz-child',
    text: 'Tomasz picks up his daughter Zosia from kindergarten at 15:30 and comes back online around eight in the evening.',
  },
  {
    id: 'tomasz-colourblind',
    text: 'Tomasz is red-green colour-blind. Charts need patterns or labels, not only colours.',
  },
  { id: 'tomasz-chess', text: 'Tomasz plays league chess on Sundays and can talk about the Caro-Kann for hours.' },
  {
    id: 'hannah-role',
    text: 'Hannah Weiss keeps the books, writes the contracts and handles everything with the tax office.',
  },
  { id: 'hannah-coffee', text: "Hannah takes an oat flat white, no sugar. Cow's milk gives her a stomach ache." },
  {
    id: 'hannah-dog',
    text: "Hannah's dog Bruno comes along to the office. He is afraid of the vacuum cleaner and steals sandwiches.",
  },
  { id: 'hannah-slack', text: 'Hannah does not read Slack. Write her an email, with one question per message.' },
  {
    id: 'luca-freelancer',
    text: "Luca Ferri is a freelance designer from Turin. He bills 480 euros a day and needs two weeks' notice.",
  },
  {
    id: 'olga-mother',
    text: 'My mother Olga turns seventy on 19 May. She wants no party, but a trip to the mountains with all the grandchildren.',
  },
  {
    id: 'dentist-kowalska',
    text: 'Our dentist is Dr Kowalska on Grunwaldzka street. Appointments only by phone, before ten.',
  },

  // Customers
  {
    id: 'customer-nordwind',
    text: 'Nordwind Logistik is our biggest customer: about 30 percent of revenue. Their contact is Jens Albrecht, who answers fastest by phone.',
  },
  {
    id: 'customer-nordwind-sla',
    text: "Nordwind's contract promises 99.9 percent availability per month and a 5 percent credit for each tenth below.",
  },
  {
    id: 'customer-nordwind-edi',
    text: 'Nordwind sends orders as EDIFACT over SFTP at a quarter past each hour. Their files use Latin-1, not UTF-8.',
  },
  {
    id: 'customer-bellini',
    text: 'Bellini Foods pays late every time, usually by three weeks. Hannah stopped sending reminders before day 20.',
  },
  {
    id: 'customer-bellini-hosting',
    text: 'Bellini insists on its data being in Italy, so it has a separate server with Aruba in Arezzo.',
  },
  {
    id: 'customer-harbour-clinic',
    text: 'Harbour Clinic must have every access to patient records logged and kept for ten years.',
  },
  {
    id: 'customer-harbour-training',
    text: "Harbour Clinic's nurses were trained on the new screens on 12 November. They found the font too small and want a night mode.",
  },
  {
    id: 'customer-okapi',
    text: 'Okapi Books cancelled in August, because the integration with their till never worked on holidays.',
  },
  {
    id: 'customer-okapi-return',
    text: "Okapi's new managing director, Ms Thorne, wants to talk again in the new year, this time about the online shop only.",
  },
  {
    id: 'customer-solvik',
    text: 'Solvik asked for single sign-on with Microsoft Entra. Without it their IT department will not approve the rollout to the 400 branch staff.',
  },
  {
    id: 'customer-solvik-budget',
    text: "Solvik's budget year ends in June. Offers that arrive after April wait until the next one.",
  },
  {
    id: 'customer-greenleaf',
    text: 'Greenleaf, the garden centre, has its peak in April and May. No maintenance windows for them in those months.',
  },
  {
    id: 'customer-greenleaf-discount',
    text: 'Greenleaf gets 15 percent off because they were our first customer. It is not in the contract; it is a promise by Ines.',
  },
  {
    id: 'customer-atelier',
    text: 'Atelier Brandt wants invoices on paper, with a handwritten signature, sent to the address in Leipzig.',
  },

  // Incidents
  {
    id: 'incident-disk-full',
    text: 'On 14 June atlas stopped accepting writes. The WAL archive had filled the disk after the archive command had failed silently for nine days.',
  },
  {
    id: 'incident-expired-cert',
    text: 'The shop was unreachable for 50 minutes on 2 February: the certificate had run out, since the renewal hook lacked permission to write.',
  },
  {
    id: 'incident-double-invoices',
    text: 'In April 212 customers were billed twice. The workflow had been started by hand while the scheduled run was still going; there is a lock now.',
  },
  {
    id: 'incident-dns-loop',
    text: 'The outage of 9 August came from a loop: AdGuard forwarded to the router and the router to AdGuard. Neither answered any more.',
  },
  {
    id: 'incident-memory-leak',
    text: 'The API was killed by the kernel every few hours in September. A cache keyed by full URLs, query string included, never let go of anything.',
  },
  {
    id: 'incident-leaked-token',
    text: 'A Stripe key was committed to the public examples repository on 5 May. It was revoked within twelve minutes and nothing was charged.',
  },
  {
    id: 'incident-fiber-cut',
    text: 'An excavator cut the fibre in front of the office on 22 October. We worked over a phone hotspot for two days; since then there is an LTE router.',
  },
  {
    id: 'incident-wrong-staging',
    text: "Priya's migration ran against production on 3 July, since both shells looked alike. Production prompts are red now.",
  },
  {
    id: 'incident-spam-form',
    text: 'The contact form was used to send 40,000 spam mails in a night. A honeypot field and a limit of five an hour per address ended it.',
  },
  {
    id: 'incident-clock-drift',
    text: 'Logins with one-time codes failed for everybody on 11 January. The clock of the identity server was 94 seconds ahead since NTP had been blocked by the new firewall.',
  },

  // Recipes and home
  {
    id: 'recipe-sourdough',
    text: 'Sourdough: 500 g flour, 350 g water, 100 g starter, 10 g salt. Twelve hours in the fridge, then 45 minutes at 230 degrees in the closed pot.',
  },
  {
    id: 'recipe-pierogi',
    text: "Grandma's pierogi dough is made with hot water and a spoon of oil, without egg. That keeps it soft the day after.",
  },
  {
    id: 'recipe-dal',
    text: 'The red lentil dal needs the tempering at the very end: cumin, garlic and chilli in ghee, poured over while it sizzles.',
  },
  {
    id: 'recipe-pancakes',
    text: 'Saturday pancakes for four: 250 g flour, 3 eggs, 400 ml milk, a pinch of salt; let the batter rest for 20 minutes.',
  },
  { id: 'recipe-chili-spice', text: 'Put only half of the chipotle in the chili when the kids eat with us.' },
  {
    id: 'recipe-espresso',
    text: 'Espresso at home: 18 g in, 38 g out, 27 seconds. The grinder is at 2.4 for the beans from Kawa Kaszuby.',
  },
  {
    id: 'home-boiler',
    text: "The boiler's pressure should be between 1.2 and 1.8 bar. If it drops below 1, open the black valve under it until the needle is back.",
  },
  {
    id: 'home-paint',
    text: 'The living room walls are painted in "Farrow & Ball Skimming Stone". Half a tin is left in the cellar, behind the bicycles.',
  },
  {
    id: 'home-bins',
    text: 'Paper is collected on the second Tuesday of the month, plastic every Friday. Glass we have to carry to the corner ourselves.',
  },
  {
    id: 'home-plants',
    text: 'The fig by the window gets water once a week, the cactus once a month. The orchid is bathed, not poured.',
  },
  {
    id: 'home-cat-medicine',
    text: 'The cat gets half a thyroid tablet twice a day, hidden in liver paste. She notices when it is in tuna.',
  },
  {
    id: 'home-washing-machine',
    text: 'The washing machine shows E18 when the drain filter is blocked. The flap is at the bottom right; put a towel down first.',
  },
  {
    id: 'home-spare-key',
    text: 'A spare key is with the neighbours on the third floor, the Wojciks. They are away in July.',
  },
  {
    id: 'home-router-reboot',
    text: 'The television box freezes when the router has been up for more than a month. Pull its plug for ten seconds and it is fine.',
  },
  {
    id: 'home-insurance',
    text: 'Household insurance is with Warta, policy 88-204-771. Bicycles are covered up to 6,000 zloty, but only when locked.',
  },
  {
    id: 'home-car-tyres',
    text: 'The winter tyres are stored at Oponex in Oliwa. They want to be called in early October; by November nothing is free.',
  },
  {
    id: 'home-birthday-zosia',
    text: "Zosia's sixth birthday is on 8 December. She wishes for a telescope and has said so at least forty times.",
  },
  {
    id: 'home-piano',
    text: 'The piano was tuned in March by Mr Lis. He says it should be done twice a year and kept away from the radiator.',
  },

  // Travel
  {
    id: 'travel-lisbon-flight',
    text: 'The flight to Lisbon is TP 1263 on 6 March at 06:55 from Gdansk via Frankfurt. Seats 14A and 14B.',
  },
  {
    id: 'travel-lisbon-hotel',
    text: 'In Lisbon we stay at Casa do Jasmim in Alfama. Reception closes at 22:00; after that the door code is in the confirmation mail.',
  },
  {
    id: 'travel-passport',
    text: 'My passport runs out on 30 July. The office in Gdynia has appointments sooner than the one in Gdansk.',
  },
  {
    id: 'travel-japan-plan',
    text: 'For Japan in autumn we want Kanazawa and the Noto coast rather than Kyoto again, which was too crowded.',
  },
  {
    id: 'travel-japan-railpass',
    text: 'The rail pass no longer pays off since the price went up. Single tickets for our route cost about a third less.',
  },
  { id: 'travel-seat-preference', text: 'I always want an aisle seat near the front, because of my knee.' },
  {
    id: 'travel-night-train',
    text: 'The sleeper from Warsaw to Vienna has to be reserved 60 days ahead; the compartments for two are gone within hours.',
  },
  {
    id: 'travel-packing',
    text: 'Packing list for work trips: the small USB-C charger, the HDMI adapter, ear plugs, and the blue folder with the contracts.',
  },
  {
    id: 'travel-expenses',
    text: 'Travel costs are refunded only with the receipt and within 30 days. For kilometres by car it is 1.15 zloty each.',
  },
  {
    id: 'travel-berlin-conference',
    text: 'At the conference in Berlin on 14 and 15 May Priya gives the talk about idempotent queues. Her slot is on the second day at 11:20.',
  },
  {
    id: 'travel-sailing',
    text: 'The sailing week in Masuria is booked for 12 to 19 July with the yacht "Kormoran". The deposit of 1,200 zloty has been paid.',
  },
  { id: 'travel-hut', text: 'The mountain hut at Morskie Oko takes no cards, and there is no signal above the lake.' },

  // Codebase
  {
    id: 'code-entry',
    text: 'The API service starts in apps/api/src/main.ts; everything is wired up there by hand, without a framework for dependency injection.',
  },
  {
    id: 'code-money',
    text: 'Amounts are stored as integers in minor units, never as floats. The type is `Money` in packages/money.',
  },
  {
    id: 'code-dates',
    text: 'Dates without a time are strings like 2026-03-01 in the whole code. Turning them into Date objects moved birthdays by a day.',
  },
  {
    id: 'code-auth-middleware',
    text: 'Sessions are checked in apps/api/src/middleware/session.ts. A route that wants to be public has to list itself in publicRoutes.',
  },
  {
    id: 'code-flaky-test',
    text: 'The test "ships partial orders" fails about one time in thirty. It depends on the order in which two timers fire; Tomasz knows.',
  },
  {
    id: 'code-generated',
    text: 'Never edit packages/client by hand. It is generated from the OpenAPI file with `pnpm gen`, and CI rejects differences.',
  },
  {
    id: 'code-branch-names',
    text: 'Branches are named after the ticket, such as SHOP-812-vat-rates, otherwise the preview environment is not created.',
  },
  {
    id: 'code-soft-delete',
    text: 'Orders are never removed from the table: deleted_at is set. Reports that forget the condition count too much.',
  },
  {
    id: 'code-pdf-fonts',
    text: 'PDFs are rendered with Typst. The fonts have to be in assets/fonts, or Polish letters come out as boxes.',
  },
  {
    id: 'code-rate-limiter',
    text: "The rate limiter counts by API key, not by address, since all of Nordwind's branches come from a single address.",
  },
  {
    id: 'code-search-index',
    text: 'Product search uses Meilisearch; the index is rebuilt at 4 in the morning and takes about six minutes.',
  },
  {
    id: 'code-css',
    text: 'Styling is done with CSS modules. Tailwind was tried in the admin app and taken out again.',
  },
  {
    id: 'code-error-e4012',
    text: 'Error E4012 means that a warehouse has no delivery zone for the postcode. Support can add one in the admin under Zones.',
  },
  {
    id: 'code-queue-retries',
    text: 'Jobs are retried five times with growing pauses, 1 minute up to 2 hours. After that they land in the table dead_jobs, which somebody looks at on Mondays.',
  },

  // Meetings
  {
    id: 'meeting-retro-october',
    text: 'Retro in October: standups become written, three times a week. The spoken one on Monday stays.',
  },
  {
    id: 'meeting-board-q3',
    text: 'At the board meeting of the third quarter it was decided to hire one more backend developer and to postpone the mobile app to next summer.',
  },
  {
    id: 'meeting-nordwind-kickoff',
    text: 'In the kickoff with Nordwind we agreed on three phases: labels until March, returns until June, customs papers open.',
  },
  {
    id: 'meeting-security-audit',
    text: "The auditors' main finding: no second factor for the admin area. It has to be there by the end of the quarter.",
  },
  {
    id: 'meeting-roadmap',
    text: 'For the spring release returns and multi-currency are in; the new dashboard was moved to autumn because Luca has no time.',
  },
  {
    id: 'meeting-bank',
    text: 'The bank offers a credit line of 150,000 euros at 5.4 percent. Hannah finds it too dear and asks a second one.',
  },
  {
    id: 'meeting-school',
    text: "At the parents' evening: swimming lessons begin after the winter holidays, and the children need a cap with their name on it.",
  },

  // Configuration and deadlines
  {
    id: 'config-smtp',
    text: 'SMTP for the apps: smtp.postmarkapp.com, port 587, STARTTLS, the server token as user and as password.',
  },
  {
    id: 'config-stripe-webhook',
    text: "Stripe's webhook points at https://api.example.org/hooks/stripe and its signing secret is called STRIPE_WHSEC in the environment.",
  },
  { id: 'config-session-length', text: 'Users stay signed in for 12 hours, people in the admin area for 30 minutes.' },
  {
    id: 'config-locale',
    text: 'The default locale is pl-PL; the number format for exports is nevertheless always en-US.',
  },
  {
    id: 'config-s3-region',
    text: 'The bucket for attachments is in eu-central-1, and its versions expire after 90 days.',
  },
  {
    id: 'config-log-level',
    text: 'Log level is info everywhere, debug on staging. Bodies of requests are never logged because of personal data.',
  },
  {
    id: 'config-oidc-issuer',
    text: 'The OIDC issuer is https://id.lab.example.org/realms/staff, served by Keycloak 26. Client ids begin with `svc-`.',
  },
  { id: 'config-mqtt', text: 'The MQTT broker is Mosquitto on 10.20.0.3:8883, TLS only, with user `house`.' },
  {
    id: 'deadline-tax',
    text: 'The VAT return has to be in by the 25th of each month. Hannah wants all receipts by the 18th.',
  },
  {
    id: 'deadline-domain',
    text: 'The domain tidewerk.org renews on 11 December; the card on file at Gandi is the old one.',
  },
  {
    id: 'deadline-grant',
    text: 'The application for the EU grant is due on 28 February at 17:00 Brussels time, and it needs signatures of two partners.',
  },
  {
    id: 'deadline-accessibility',
    text: 'From 28 June the shop has to meet the accessibility act. Contrast and keyboard use are done, the screen reader labels are not.',
  },
  {
    id: 'deadline-macos-cert',
    text: "Apple's developer certificate for signing the desktop app ends on 2 April. Renewing takes a D-U-N-S check that lasts up to two weeks.",
  },
  { id: 'deadline-gym', text: 'The gym contract renews by a year unless we cancel by 15 October in writing.' },

  // Long notes
  {
    id: 'long-atlas-rebuild',
    text: 'Notes from the rebuild of atlas in May, so that we do not have to find it all out again. We started on Saturday at seven with Marek on site and Priya on the phone. The rescue system booted at the second attempt; the first one hung because the remote console had the wrong keyboard. Installing Debian with ZFS on root took most of the morning, since the installer does not know ZFS and everything is done in a chroot. The bootloader has to be installed on both drives separately, otherwise the machine does not come up when the first one fails, which is exactly what had happened in April. After that Ansible did the rest: users, firewall, Docker, the mounts. Two roles failed because they assumed an older Python, and Priya fixed them on the spot. Restoring the data took until the evening. We were back at 19:40, announced it on the status page and had pizza. What we would do differently: order the replacement drive before, label the cables, and write down which of the serial numbers sits in which slot. Marek wants to do the same with boreas next year, but in winter, when there is less traffic from the garden centres.',
  },
  {
    id: 'long-onboarding',
    text: 'How we bring in a new colleague. Before the first day: Hannah sends the contract and asks for the shirt size and the laptop wish, Marek creates the account in Keycloak and the mailbox, and somebody is named as the companion for the first four weeks. On the first day there is breakfast with everybody, then the companion shows the repository and the new person makes a tiny change that goes live the same afternoon, however small, because it takes away the fear. In the first week there are short talks with each of the others, half an hour each, with no slides. Access to production is given only after six weeks, and after having watched two releases and one restore; no exceptions were ever made, not even for Priya. In the second month the new colleague spends three days in support, answering real tickets, since nothing teaches the product faster. After three months Ines has a long conversation about what is going well and what is not, and both sides can say that they want to part. The list of all accounts to be created is in the wiki under People, and so is the one for leaving.',
  },
  {
    id: 'long-warehouse-visit',
    text: "Visit to Nordwind's warehouse in Bremen, 17 September. Jens picked us up at the station and we walked through the whole chain, from the ramp to the packing tables. There are 42 packing tables, of which 30 have our screens. The people there wear gloves all day, therefore the small buttons are a daily nuisance: they hit them with the knuckle or take off the glove each time, about two hundred times a shift. Labels are printed on Zebra ZD421 printers, and the ones near the gate lose the wireless network when a truck stands in front of the window. They asked whether the label can be printed before the weight is known, which we cannot do because the carrier rejects it. In the canteen the shift leader told us that the night shift still uses the paper list, since the scanner's light blinds them in the dark hall. Jens would like to have a test installation by the end of January. We promised a click dummy with larger controls within three weeks, and Tomasz will go there again with it and simply watch for a day.",
  },
  {
    id: 'long-payment-provider',
    text: "Why we changed from the old payment provider to Stripe and what came of it. The old one was cheap, 0.9 percent, but the money arrived only once a week and the reports were PDF files that Hannah had to type in. In the summer of last year they changed the interface twice with a week's notice. We compared four: Adyen wanted a minimum turnover that we do not have, Mollie had no Polish BLIK at that time, PayU would have been possible, Stripe had everything but costs more. Moving over took five weeks instead of the two that had been planned. The hardest part was the subscriptions: cards cannot be carried over without the old provider handing out the numbers in encrypted form, and they needed to be asked by a letter on paper signed by both managing directors. About four percent of the customers had to enter their card again, and we lost eleven of them. Since then refunds work with one click, and disputes show up in the same place. Hannah saves around one and a half days a month. The old contract ran out in December and the account there is closed; the reports are archived in Paperless with the tag payments-old.",
  },
  {
    id: 'long-garden',
    text: "Everything about the allotment garden, from the conversation with the previous owners. The water is turned on in the middle of April and off at the end of October; one has to be there for it, otherwise the pipe under the shed bursts. The key of the gate is the same as the one of the tool box. The cherry tree bears every year, the plum only every second. The hedge may be at most 1.25 metres tall, and the association measures it in June, really, with a stick. The compost on the left is ripe, the one on the right is not. Slugs come from the neighbour's side, and a strip of wool pellets helps better than beer traps. The electric meter belongs to the association and is read on the last Sunday of September. In the shed there is a mower which starts only with the choke fully out and after exactly three pulls. The old lady in plot 14 likes to get rhubarb and gives eggs in return. The yearly fee is 640 zloty, and eight hours of common work are expected from each plot, four in spring and four in autumn; those who do not come pay 50 for each hour.",
  },
  {
    id: 'long-api-v2-design',
    text: 'Summary of the discussion about version 2 of the public API, two afternoons, everybody there. Starting point: version 1 has grown over six years and has four ways to page through a list. We want one: cursors, opaque, with at most 200 entries. Names become snake_case throughout, because the three customers with their own developers all asked for it. Errors follow RFC 9457, with a stable code that support can look up. Creating something takes an idempotency key, which is remembered for 48 hours; the same key with another body is answered with 422. There was a long argument about webhooks: Priya wanted to send only the identifier so that receivers always fetch the current state, Tomasz wanted the whole object. We settled on sending the identifier and the version, and the object on request. Version 1 will be kept alive for eighteen months after version 2 is announced, and Nordwind gets six months more in writing. Versions are chosen by the path and not by a header, since people paste addresses into tickets. Open: how bulk changes are to look, and whether we offer an SDK for PHP. Ines collects use cases for both until the end of the month.',
  },
  {
    id: 'long-rome-trip',
    text: 'Memories of the Rome trip with the kids for whoever asks us for tips. We stayed in Trastevere, which was lovely and loud; the second time we would take Testaccio. The flat was on the fourth floor without a lift, and the pushchair was no joy. For the Colosseum one should have tickets at 8:30, before the groups, and the audio guide is not worth it with children. The best afternoon was at Villa Borghese, where they rent out little four-wheeled carts to pedal. Ice cream: Fatamorgana, the one near Piazza San Cosimato, has everything without gluten, including the cones, which mattered for Lena because of her coeliac disease. Pizza by the slice at Bonci is worth the queue. On Monday most museums are closed and on the first Sunday of the month the state ones are free and overcrowded. The bus from Ciampino is cheap but left us standing twice; a taxi has a fixed price of 31 euros. In the pharmacy on Viale Trastevere they speak English and were very kind about the ear infection. We would go again at the end of October, when it was still 24 degrees and half as full as in spring.',
  },
  {
    id: 'long-scanner-app',
    text: 'State of the scanner app, as told by Tomasz before his holidays. It is written in React Native and lives in apps/scanner. The build for Android runs in CI, the one for iOS only on his machine, because of the signing. To install it on the devices in the warehouse one uses the management console of SOTI, group Ramp, and not the Play store. The devices are Zebra TC52 with Android 11, and they will not get anything newer. The app keeps scans in a local queue when there is no network and sends them later; the queue is emptied in order and stops at the first scan that the server refuses, which is shown as a yellow bar. To get past a stuck entry hold the bar for five seconds, which moves that scan to a quarantine list that can be seen in the admin. Battery life is nine hours with the brightness at 60 percent. Known problems: the keyboard covers the field for the quantity in landscape, and the beep is too quiet for the hall. If something burns while he is away, Luca can build it too, but he has not got the keys for the upload.',
  },
  {
    id: 'long-hiring-backend',
    text: "How the search for the backend developer went, for the next time. We put the advertisement on two boards and in the Gdansk developers' group; 84 people applied, of which 60 clearly had not read it. We sorted by a short question: describe a bug you are proud of having found. Those who answered it well were also good later on. Nine talks by video, thirty minutes each, led by Priya and one other, the same questions for all. Instead of homework we paid for half a day of working together on a real ticket, 250 euros each, which four people did, and that told us more than everything else. We did not ask for diplomas. The salary was in the advertisement from the start, 19,000 to 24,000 zloty, and nobody haggled. The offer went to Agnieszka Dudek, who accepted on 3 November and starts on 1 February, since her notice period is three months. The second choice, Rafal, would be interested in part-time work in the summer. The ones we declined all got a personal answer within a week; two wrote back to say thank you. The whole thing took nine weeks, and the advertisements cost 1,400 zloty together.",
  },
  {
    id: 'long-house-handover',
    text: "From the handover of the flat, with the agent and the previous tenants, on 30 August. Meters: electricity 48,213, cold water 311, warm water 96, all photographed. The fuse for the kitchen is in the corridor and not in the cabinet of the flat, top row, third from the left, and the cooker has its own. The bathroom fan runs on for ten minutes, which is on purpose. In the bedroom the left window must not be tilted: the upper hinge is broken, the landlord knows and wants to have it replaced in spring. The internet socket is behind the wardrobe. Parquet is to be wiped with hardly any water. The cellar compartment is number 17, and the lock was cut off because no key was left, so we need a new one. Loud music is not welcome after ten, since the lady below gets up at four for the bakery. The stairs are cleaned by a company, 45 zloty a month, part of the additional costs. The deposit of two months' rent was transferred on the same day; the landlord keeps it in a separate account and will give it back within thirty days of moving out.",
  },
  {
    id: 'long-black-friday',
    text: 'Review of the Black Friday weekend, written on the Tuesday after. Traffic began to rise on Thursday at about eight in the evening and reached its peak on Friday at 20:15 with 1,900 requests a second, four times a normal evening. We had prepared for three times. Until Friday noon everything was green; Marek had doubled the workers on Wednesday and the caches were warm. At 12:40 the checkout became slow for customers of Greenleaf and Okapi. At first we suspected the payment side, since Stripe reported some delays in Ireland, and lost forty minutes with that. Then Priya saw that the database was waiting for locks on the table of vouchers: each order updated the counter of the one voucher code that the whole newsletter had advertised, SANTA20, so that all the orders stood in a single line. We switched the counter off at 13:50, by a flag, and counted the uses later from the orders. From then on the response times were back under 200 milliseconds. In the evening the second problem: the confirmation mails went out with a delay of up to three hours, as Postmark had limited us to the volume that was agreed in spring. Hannah called them, and they raised it within the hour and were friendly about it. About sixty people wrote to support because they thought that their order had been lost. What went well: the status page was kept up to date by Tomasz every twenty minutes, nobody deployed anything, and the rota with four-hour shifts meant that everyone slept. What we change: counters for vouchers are written in sixteen parts and summed up when reading, the mail volume is agreed upon in October, and the load test uses one voucher for everybody, as people do in reality. Revenue was 38 percent higher than the year before, at Greenleaf even double. Ines brought cake for everyone on Monday, and Marek took the day off.',
  },
  {
    id: 'long-cloud-costs',
    text: 'What the servers and services cost us per month, as of November, put together with Hannah. Hetzner is 214 euros for both machines plus 13 for the storage box. Cloudflare is free, Postmark 55, Backblaze about 9. The Stripe fees are not counted here. The largest single item surprised everybody: the error tracker costs 290 euros since we went over the included events in summer, more than both servers together. Marek will try the self-hosted GlitchTip over Christmas, and if it holds we cancel in January. The design tool is 45 for three seats, of which one is not used. Domains come to 22 when spread over the year. All together it is just below 700 euros, and Hannah would like it to stay there.',
  },
];
