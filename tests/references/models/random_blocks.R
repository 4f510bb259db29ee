# The numbers of tests/core/model/block_variance_test.cpp, by R 4.2.2 without packages: Rscript random_blocks.R
# REML of random blocks by the profile of the ratio; terms fixed
y <- c(52.1,49.3,55.8,51.2,58.4, 60.3,54.9,61.2,57.7,63.8, 47.2,46.1,52.9,46.6,54.0, 50.0)
A <- c(-1,1,-1,1,0, -1,1,-1,1,0, -1,1,-1,1,0, 0)
B <- c(-1,-1,1,1,0, -1,-1,1,1,0, -1,-1,1,1,0, 1)
blk <- factor(c(rep(1,5),rep(2,5),rep(3,5),3))
X <- cbind(1,A,B); Z <- model.matrix(~0+blk)
n <- length(y)
prof <- function(lt){ R<-diag(n)+exp(lt)*Z%*%t(Z); Ri<-solve(R); b<-solve(t(X)%*%Ri%*%X,t(X)%*%Ri%*%y); r<-y-X%*%b
  s2<-as.numeric(t(r)%*%Ri%*%r)/(n-3); as.numeric(determinant(R)$modulus+determinant(t(X)%*%Ri%*%X)$modulus)+(n-3)*log(s2)}
o<-optimize(prof,c(-8,8),tol=1e-12); lt<-o$minimum
R<-diag(n)+exp(lt)*Z%*%t(Z); Ri<-solve(R); b<-solve(t(X)%*%Ri%*%X,t(X)%*%Ri%*%y); r<-y-X%*%b
s2<-as.numeric(t(r)%*%Ri%*%r)/(n-3)
cat(sprintf("REML sigma2 %.10f between %.10f\n",s2,exp(lt)*s2))
f<-lm(y~C(blk,contr.sum)+A+B); s<-summary(f)$sigma
cat(sprintf("fixed sigma %.12f df %d\n",s,f$df.residual))
print(coef(f),digits=12)
# new block interval at A=.5,B=-.5
bb<-exp(lt)*s2; x<-c(1,0,0,.5,-.5); Cx<-summary(f)$cov.unscaled; h<-as.numeric(t(x)%*%Cx%*%x)
P0<-diag(n)-X%*%solve(t(X)%*%X)%*%t(X); ev<-eigen(t(Z)%*%P0%*%Z)$values[1:2]
d<-(s^2+2*bb*ev)^2; I<-matrix(c(sum(ev^2/d),sum(ev/d),sum(ev/d),sum(1/d)+f$df.residual/s^4),2)/2; W<-solve(I)
for(m in c(1,3)){ a<-c(1+1/3,1/m+h); v2<-sum(a*c(2*bb,s^2)); df<-2*v2^2/as.numeric(t(a)%*%W%*%a); half<-qt(.975,df)*sqrt(sum(a*c(bb,s^2)))
 cat(sprintf("m %d mean %.10f df %.10f half %.10f\n",m,sum(x*coef(f)),df,half)) }
