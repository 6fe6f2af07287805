ALTER TABLE "pending_replies" DROP COLUMN "closes_ticket";
