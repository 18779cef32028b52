import type { Note } from './notes.ts';

type Language = 'de' | 'fr' | 'es' | 'pl' | 'ru' | 'zh' | 'ja';

export interface NoteInLanguage extends Note {
  readonly language: Language;
}

/** Shares at least one content word with its note, so that a search by words can find it. */
export interface QuestionInLanguage {
  readonly text: string;
  readonly language: Language;
  readonly notes: readonly string[];
  /** Whether a shared word has another ending in the question than in the note. */
  readonly inflected: boolean;
}

export const notesInLanguages: readonly NoteInLanguage[] = [
  {
    id: 'de-sicherung',
    language: 'de',
    text: 'Die Sicherung der Datenbank läuft jede Nacht um drei Uhr auf dem Server Fichte und dauert etwa zwanzig Minuten.',
  },
  {
    id: 'de-zertifikate',
    language: 'de',
    text: 'Zertifikate erneuert Caddy selbst. Nur das Zertifikat des Druckers muss Jörg einmal im Jahr von Hand einspielen.',
  },
  {
    id: 'de-kundin-weber',
    language: 'de',
    text: 'Frau Weber von der Bäckerei möchte Rechnungen nur noch per Post bekommen, weil ihr Sohn die E-Mails löscht.',
  },
  {
    id: 'fr-sauvegarde',
    language: 'fr',
    text: 'La sauvegarde du serveur est chiffrée et envoyée chaque soir vers un disque chez Élodie.',
  },
  {
    id: 'fr-reunion',
    language: 'fr',
    text: 'Pendant la réunion de lundi, nous avons décidé de repousser la mise en production au 14 mars à cause des congés.',
  },
  {
    id: 'fr-recette-crepes',
    language: 'fr',
    text: 'Pour les crêpes, la pâte doit reposer une heure et il faut y ajouter une cuillère de rhum.',
  },
  {
    id: 'es-contrasena',
    language: 'es',
    text: 'La contraseña del router está en la libreta azul, en el cajón de la cocina.',
  },
  {
    id: 'es-cliente-molina',
    language: 'es',
    text: 'El cliente Molina paga siempre a noventa días y pide las facturas en formato Excel.',
  },
  {
    id: 'es-vuelo',
    language: 'es',
    text: 'El vuelo a Bogotá sale el 9 de octubre a las seis de la mañana desde Barajas, terminal 4.',
  },
  {
    id: 'pl-kopie',
    language: 'pl',
    text: 'Kopie zapasowe robimy w nocy z soboty na niedzielę i trzymamy je przez trzy miesiące.',
  },
  {
    id: 'pl-faktury',
    language: 'pl',
    text: 'Faktury od dostawców zatwierdza wyłącznie Agnieszka, zawsze przed dziesiątym dniem miesiąca.',
  },
  {
    id: 'pl-serwer',
    language: 'pl',
    text: 'Serwer w piwnicy wyłącza się sam, gdy temperatura przekroczy czterdzieści stopni.',
  },
  {
    id: 'ru-sertifikat',
    language: 'ru',
    text: 'Сертификат почтового сервера заканчивается двенадцатого апреля, продлевать его должен Андрей.',
  },
  { id: 'ru-otpusk', language: 'ru', text: 'Наташа уходит в отпуск на весь август, вместо неё отвечает Игорь.' },
  {
    id: 'ru-pirog',
    language: 'ru',
    text: 'В бабушкин пирог с капустой кладут варёные яйца и укроп, а печётся он сорок минут.',
  },
  { id: 'zh-beifen', language: 'zh', text: '数据库备份每天凌晨三点进行，保存在上海机房的存储服务器上。' },
  { id: 'zh-zhengshu', language: 'zh', text: '公司网站的证书由小李负责续期，下一次是明年五月。' },
  { id: 'zh-chahui', language: 'zh', text: '王经理不喝咖啡，开会时请给他准备龙井茶。' },
  { id: 'ja-backup', language: 'ja', text: 'データベースのバックアップは毎晩二時に実行され、三十日間保存されます。' },
  { id: 'ja-kaigi', language: 'ja', text: '来週の会議は水曜日から金曜日に変更になりました。場所は三階の会議室です。' },
];

export const questionsInLanguages: readonly QuestionInLanguage[] = [
  { text: 'Wann startet die Sicherung in der Nacht?', language: 'de', notes: ['de-sicherung'], inflected: false },
  {
    text: 'Wer kümmert sich um das Zertifikat vom Drucker?',
    language: 'de',
    notes: ['de-zertifikate'],
    inflected: true,
  },
  {
    text: 'Warum bekommt die Bäckerei ihre Rechnung auf Papier?',
    language: 'de',
    notes: ['de-kundin-weber'],
    inflected: true,
  },
  { text: 'où sont conservées les sauvegardes ?', language: 'fr', notes: ['fr-sauvegarde'], inflected: true },
  { text: "qu'est-ce qui a été dit à la réunion de lundi ?", language: 'fr', notes: ['fr-reunion'], inflected: false },
  {
    text: 'combien de temps la pâte à crêpe repose-t-elle ?',
    language: 'fr',
    notes: ['fr-recette-crepes'],
    inflected: true,
  },
  { text: '¿dónde tengo apuntada la contraseña del wifi?', language: 'es', notes: ['es-contrasena'], inflected: false },
  { text: '¿en qué formato quiere Molina la factura?', language: 'es', notes: ['es-cliente-molina'], inflected: true },
  { text: 'a qué hora es el vuelo a Bogotá', language: 'es', notes: ['es-vuelo'], inflected: false },
  { text: 'jak długo przechowujemy kopię zapasową?', language: 'pl', notes: ['pl-kopie'], inflected: true },
  { text: 'kto musi zatwierdzić fakturę od dostawcy?', language: 'pl', notes: ['pl-faktury'], inflected: true },
  {
    text: 'dlaczego znikają serwery w piwnicach, kiedy jest gorąco?',
    language: 'pl',
    notes: ['pl-serwer'],
    inflected: true,
  },
  { text: 'кто отвечает за продление сертификата почты?', language: 'ru', notes: ['ru-sertifikat'], inflected: true },
  { text: 'кто заменяет Наташу во время отпуска?', language: 'ru', notes: ['ru-otpusk'], inflected: true },
  { text: 'сколько времени печь пирог с капустой?', language: 'ru', notes: ['ru-pirog'], inflected: true },
  { text: '备份放在哪里？', language: 'zh', notes: ['zh-beifen'], inflected: false },
  { text: '谁来更新网站证书？', language: 'zh', notes: ['zh-zhengshu'], inflected: false },
  { text: '王经理喜欢喝什么茶？', language: 'zh', notes: ['zh-chahui'], inflected: false },
  { text: 'バックアップは何時に始まりますか？', language: 'ja', notes: ['ja-backup'], inflected: false },
  { text: '会議は何曜日になりましたか？', language: 'ja', notes: ['ja-kaigi'], inflected: false },
];
